import { type AccountId, orderUuid } from "@propgate/core";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { keepAllRows } from "../../../server/src/testing/keep-all-rows.ts";
import {
  createManualEngine,
  type ManualEngine,
} from "../../../server/src/testing/manual-engine.ts";
import { BTCUSD, EURUSD } from "../../../server/src/testing/small-market.ts";
import type { Database } from "../storage/databases/database.ts";
import { verifyJournal } from "./journal/verify-journal.ts";

/** The account as admission finds it in the database. */
async function admitted(database: Database, accountId: AccountId) {
  const [row] = await database.query<{ version: string; hash: string }>(
    "select version, encode(substring(head_hash for 16), 'hex') as hash from accounts where account_id = $1",
    [accountId],
  );
  return { accountId, version: Number(row?.version), headHash: row?.hash };
}

async function lotsOf(engine: ManualEngine, database: Database, id: AccountId): Promise<number> {
  const read = await engine.network.positions(await admitted(database, id));
  if (!read.ok) throw new Error("unreadable");
  return read.value.reduce((sum, { position }) => sum + position.quantity, 0) / 100_000;
}

const flat = (engine: ManualEngine, id: AccountId, name: string, pair = BTCUSD) =>
  engine.order(id, { type: "closePair", orderUuid: orderUuid(name), pair });

await describeOnEachDatabase("a process whose database has lost lines", (database) => {
  test("a process whose database lost lines answers and decides from what the database has, and the chain stays whole [D13.namedByHash]", async () => {
    const engine = createManualEngine(database(), { seed: "lost" });
    const id = await engine.open();
    await engine.quote(BTCUSD, 50_000);
    await engine.buy(id, BTCUSD, 0.5);
    const goBack = await keepAllRows(database());
    await engine.buy(id, BTCUSD, 0.3);
    await goBack();

    expect(await lotsOf(engine, database(), id)).toBe(0.5);
    await engine.buy(id, BTCUSD, 0.05);
    expect(await lotsOf(engine, database(), id)).toBe(0.55);
    await flat(engine, id, "flat");
    expect(await verifyJournal(database(), "all")).toMatchObject({ broken: [] });
    const trades = await engine.network.trades(await admitted(database(), id), {
      newerThan: 0,
      olderThan: null,
      limit: 10,
    });
    expect(trades.ok && trades.value?.map(({ trade }) => trade.quantity / 100_000)).toEqual([0.55]);
    expect(engine.cache.historiesChanged()).toBe(1);
    expect(engine.faults).toEqual([expect.objectContaining({ name: "HistoryChanged" })]);
  });

  test("a process whose database lost lines writes nothing on top of another line of the same number [D13.namedByHash]", async () => {
    const [one, other] = [
      createManualEngine(database(), { seed: "one" }),
      createManualEngine(database(), { seed: "other" }),
    ];
    const id = await one.open();
    for (const engine of [one, other]) await engine.quote(BTCUSD, 50_000);
    await one.buy(id, BTCUSD, 0.5);
    const goBack = await keepAllRows(database());
    await one.buy(id, BTCUSD, 0.3);
    await goBack();
    await other.buy(id, BTCUSD, 0.1);
    expect(one.version(id)).toBe(other.version(id));

    // A refused order, which writes no line, compares the version too.
    await expect(flat(one, id, "flat", EURUSD)).rejects.toThrow("refused");
    expect(await lotsOf(one, database(), id)).toBe(0.6);
    await one.buy(id, BTCUSD, 0.05);
    expect(await lotsOf(other, database(), id)).toBe(0.65);
    expect(await verifyJournal(database(), id)).toMatchObject({ broken: [] });
    expect(one.cache.historiesChanged()).toBe(1);
    expect(other.faults).toEqual([]);
  });

  test("a process whose database lost lines goes on from what is stored, when a look at other nodes finds it [D13.namedByHash]", async () => {
    const engine = createManualEngine(database(), { seed: "look" });
    const id = await engine.open();
    await engine.quote(BTCUSD, 50_000);
    await engine.buy(id, BTCUSD, 0.5);
    const goBack = await keepAllRows(database());
    await engine.buy(id, BTCUSD, 0.3);
    await goBack();
    for (const shard of engine.shards) await shard.followOthers();
    expect(engine.cache.historiesChanged()).toBe(1);
    expect(engine.market.watchedVersion(id)).toBe((await admitted(database(), id)).version);
  });

  test("a process whose database lost lines knows an account no more that was opened after the moment [D13.namedByHash]", async () => {
    const engine = createManualEngine(database(), { seed: "gone" });
    const goBack = await keepAllRows(database());
    const id = await engine.open();
    await engine.quote(BTCUSD, 50_000);
    await engine.buy(id, BTCUSD, 0.5);
    await goBack();
    await expect(engine.buy(id, BTCUSD, 0.1)).rejects.toThrow("refused");
    expect(engine.cache.historiesChanged()).toBe(1);
    expect(engine.market.watchedVersion(id)).toBe(0);
  });
});
