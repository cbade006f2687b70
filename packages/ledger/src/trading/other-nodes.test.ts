import { type AccountId, orderUuid, type Price, price } from "@propgate/core";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createManualEngine,
  type ManualEngine,
} from "../../../server/src/testing/manual-engine.ts";
import { openTestDatabase } from "../../../server/src/testing/open-test-database.ts";
import { BTCUSD } from "../../../server/src/testing/small-market.ts";
import type { Database } from "../storage/databases/database.ts";
import { partitionOf } from "../storage/rows/partition.ts";
import { createOtherNodes } from "./other-nodes.ts";

describe("accounts of other nodes", () => {
  let database: Database;
  let dead: ManualEngine;
  let left: ManualEngine;
  const limit = (id: AccountId, at: Price): Promise<void> =>
    dead.order(id, {
      type: "placeLimit",
      reduceOnly: false,
      orderUuid: orderUuid("of the other node"),
      pair: BTCUSD,
      direction: "long",
      size: { kind: "quantity", lots: 1 },
      limitPrice: at,
      legs: [],
    });
  const types = async (id: AccountId) => (await left.journal(id)).map(({ event }) => event.type);

  beforeEach(async () => {
    database = await openTestDatabase();
    dead = createManualEngine(database, { seed: "dead" });
    left = createManualEngine(database, { seed: "left" });
    await dead.quote(BTCUSD, 50_000);
    await left.quote(BTCUSD, 50_000);
  });

  test("the remaining node fills an order of a dead node [D5.triggers]", async () => {
    const id = await dead.open();
    await limit(id, price(49_000));
    await left.shards[0].followOthers();
    await left.quote(BTCUSD, 48_900);
    expect(await types(id)).toContain("orderFilled");
    expect(left.faults).toEqual([]);
  });

  test("the remaining node fills an order whose price came before its look", async () => {
    const id = await dead.open();
    await limit(id, price(49_000));
    await left.quote(BTCUSD, 48_900);
    expect(await types(id)).not.toContain("orderFilled");
    await left.shards[0].followOthers();
    await left.market.whenSettled();
    expect(await types(id)).toContain("orderFilled");
  });

  test("an account that a read loaded into memory is watched too", async () => {
    const id = await dead.open();
    await limit(id, price(49_000));
    await left.network.account({ accountId: id, version: dead.version(id) });
    await left.shards[0].followOthers();
    await left.quote(BTCUSD, 48_900);
    expect(await types(id)).toContain("orderFilled");
  });

  test("the equity of its positions is watched [S2.1.2.static]", async () => {
    const id = await dead.open();
    await dead.buy(id, BTCUSD, 1);
    await left.shards[0].followOthers();
    await left.quote(BTCUSD, 30_000);
    expect((await left.cache.read({ accountId: id, version: 0 }))?.state.status).toBe("eliminated");
  });

  test("accounts of other nodes are read page by page, and then from the first again", async () => {
    const opened = [await dead.open(), await dead.open(), await dead.open()];
    const ids = opened.sort().toSorted((one, other) => partitionOf(one) - partitionOf(other));
    for (const id of ids) await dead.buy(id, BTCUSD, 1);
    const others = createOtherNodes({ database, cache: left.cache, watched: () => 0, page: 2 });
    const changed = async () => (await others.nextPage()).map(({ state }) => state.accountId);
    expect(await changed()).toEqual(ids.slice(0, 2));
    expect(await changed()).toEqual(ids.slice(2));
    expect(await changed()).toEqual(ids.slice(0, 2));
  });

  test("only changed accounts are read again", async () => {
    const id = await dead.open();
    await dead.buy(id, BTCUSD, 1);
    await left.shards[0].followOthers();
    expect(left.market.watchedVersion(id)).toBe(dead.version(id));
    await limit(id, price(49_000));
    expect(left.market.watchedVersion(id)).toBe(dead.version(id) - 1);
    await left.shards[0].followOthers();
    expect(left.market.watchedVersion(id)).toBe(dead.version(id));
  });
});
