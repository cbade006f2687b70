import { type AccountId, type OwnerId, ownerId } from "@propgate/core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { readJournal } from "../../../ledger/src/storage/journal/journal-store.ts";
import { shardNumberOf, shardNumberOfKey } from "../../../ledger/src/storage/rows/shard-number.ts";
import { type DatabaseOutage, databaseWithOutage } from "../testing/database-outage.ts";
import { type Harness, openHarness } from "../testing/harness.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import type { Signer } from "../testing/signed-request.ts";
import type { ComposedService } from "./service.ts";

interface Trader {
  readonly owner: OwnerId;
  readonly accountId: AccountId;
  readonly signer: Signer;
}

const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 1_000 };
const UNKNOWN = "00000000-0000-8fff-8000-000000000000";

/** Opens a service with two databases, and one trader on each. The traders have different owners. */
async function openTwo(wrap = (database: Database): Database => database) {
  const other = await openTestDatabase();
  let composed: ComposedService | null = null;
  const service = await openHarness({
    otherDatabases: [wrap(other)],
    mount: (parts) => {
      composed = parts;
    },
  });
  const parts = (): ComposedService => {
    if (composed === null) throw new Error("the harness composes a service");
    return composed;
  };
  await service.quote("BTCUSD", 50_000, 50_010);
  await service.quote("EURUSD", 1.1, 1.1001);
  const trader = async (owner: OwnerId): Promise<Trader> => {
    const accountId = await service.newAccount({ ownerId: owner });
    return { owner, accountId, signer: await service.newKey({ accountId }) };
  };
  // The harness already has an account on the first database, so the accounts of the next owner are on the second.
  const onSecond = await trader(ownerId("owner-second"));
  const onFirst = await trader(ownerId("owner-first"));
  return { service, parts, other, onFirst, onSecond };
}

const rowsOf = async (database: Database, table: string): Promise<readonly string[]> =>
  (
    await database.query<{ readonly account_id: string }>(
      `select distinct account_id from ${table} order by account_id`,
      [],
    )
  ).map((row) => row.account_id);

describe("accounts of two owners on two databases", () => {
  let service: Harness;
  let other: Database;
  let onFirst: Trader;
  let onSecond: Trader;
  beforeAll(async () => {
    ({ service, other, onFirst, onSecond } = await openTwo());
    return () => service.close();
  });

  test("a new owner gets the database with the fewest accounts, and keeps it", async () => {
    expect([shardNumberOf(onFirst.accountId), shardNumberOf(onSecond.accountId)]).toEqual([0, 1]);
    const further = [1, 2, 3].map(() => service.newAccount({ ownerId: onSecond.owner }));
    expect((await Promise.all(further)).map(shardNumberOf)).toEqual([1, 1, 1]);
    const again = await service.newAccount({ ownerId: onFirst.owner });
    expect(shardNumberOf(again)).toBe(0);
  });

  test("keys are on the databases of their accounts, and say so", async () => {
    expect(shardNumberOfKey(onFirst.signer.keyId)).toBe(0);
    expect(shardNumberOfKey(onSecond.signer.keyId)).toBe(1);
    expect(await rowsOf(service.database, "keys")).not.toContain(onSecond.accountId);
    expect(await rowsOf(other, "keys")).toEqual([onSecond.accountId]);
  });

  test("signed orders are carried out, each on its own database", async () => {
    for (const { signer, accountId } of [onFirst, onSecond]) {
      const placed = await service.order(MARKET, { signer, nonce: "same-nonce" });
      expect(placed.status).toBe(200);
      const positions = await service.get("positions", { signer });
      expect(positions.status).toBe(200);
      expect(positions.text).toContain("BTCUSD");
      const receipt = await service.get("receipts/same-nonce", { signer });
      expect(receipt.status).toBe(200);
      expect(shardNumberOf(accountId)).toBe(shardNumberOfKey(signer.keyId));
    }
    expect(await rowsOf(service.database, "journal")).not.toContain(onSecond.accountId);
    expect(await rowsOf(other, "journal")).toContain(onSecond.accountId);
    expect(await rowsOf(other, "journal")).not.toContain(onFirst.accountId);
  });

  test("a nonce is used once on each database", async () => {
    for (const { signer } of [onFirst, onSecond]) {
      const call = () => service.get("positions", { signer, nonce: "used once" });
      expect((await call()).status).toBe(200);
      expect((await call()).status).toBe(409);
    }
  });

  test("operators see the accounts, keys and search results of both databases", async () => {
    const operator = await service.signIn("operator");
    const accounts = JSON.stringify(await operator.data("GET", "/operator/accounts?limit=100"));
    const keys = JSON.stringify(await operator.data("GET", "/operator/keys"));
    const found = JSON.stringify(await operator.data("GET", "/operator/search?q=owner-"));
    for (const { accountId, signer } of [onFirst, onSecond]) {
      expect(accounts).toContain(accountId);
      expect(keys).toContain(signer.keyId);
      expect(found).toContain(accountId);
    }
  });

  test("the pages of a list of both databases have every account once, in the order of their ids", async () => {
    const seen: AccountId[] = [];
    for (let after: AccountId | null = null; ; ) {
      const page = await service.accounts.list({ after, limit: 2 });
      seen.push(...page.map((entry) => entry.accountId));
      if (page.length < 2) break;
      after = page.at(-1)?.accountId ?? null;
    }
    const all = [
      ...(await rowsOf(service.database, "accounts")),
      ...(await rowsOf(other, "accounts")),
    ];
    expect(seen).toEqual(all.toSorted());
  });

  test("each owner sees only the own account on the pages", async () => {
    for (const [mine, theirs] of [
      [onFirst, onSecond],
      [onSecond, onFirst],
    ] as const) {
      const owner = await service.signIn("owner", { name: mine.owner, ownerId: mine.owner });
      const accounts = JSON.stringify(await owner.data("GET", "/accounts"));
      expect(accounts).toContain(mine.accountId);
      expect(accounts).not.toContain(theirs.accountId);
    }
  });

  test("an id that names a database beyond the list is not found", async () => {
    const operator = await service.signIn("operator");
    const answer = await operator.call("GET", `/operator/accounts/${UNKNOWN}`);
    expect(answer.status).toBe(404);
    const signer = { ...onFirst.signer, keyId: `${onFirst.signer.keyId}__` };
    expect((await service.get("positions", { signer })).status).toBe(401);
  });
});

describe("while one of two databases is away", () => {
  let outage: DatabaseOutage;
  const entry = {
    execution_type: "LIMIT",
    trade_pair: "BTCUSD",
    order_type: "LONG",
    value: 1_000,
    limit_price: 49_000,
  };
  let world: Awaited<ReturnType<typeof openTwo>>;
  beforeEach(async () => {
    outage = { text: "", when: "never" };
    world = await openTwo((database) => databaseWithOutage(database, outage));
    const { service, onFirst, onSecond } = world;
    for (const { signer } of [onFirst, onSecond]) {
      expect((await service.order(entry, { signer })).status).toBe(200);
    }
    outage.when = "before";
    await service.quote("BTCUSD", 48_900, 48_910);
    return async () => {
      outage.when = "never";
      await service.close();
    };
  });

  const fillsOf = async ({ accountId }: Trader): Promise<readonly number[]> => {
    const database = shardNumberOf(accountId) === 0 ? world.service.database : world.other;
    const lines = await readJournal(database, { accountId, afterSequence: 0, limit: 1_000 });
    return lines.flatMap(({ event }) => (event.type === "orderFilled" ? [event.price] : []));
  };

  test("the stops and orders of the other one go on", async () => {
    const { service, onFirst } = world;
    expect(await fillsOf(onFirst)).toHaveLength(1);
    expect((await service.order(MARKET, { signer: onFirst.signer })).status).toBe(200);
    const positions = await service.get("positions", { signer: onFirst.signer });
    expect(positions.text).toContain("BTCUSD");
  });

  test("requests of the database that is away get a 5xx, and the same nonces pass when it is back", async () => {
    const { service, onSecond } = world;
    const read = () => service.get("positions", { signer: onSecond.signer, nonce: "waits" });
    expect((await read()).status).toBe(503);
    outage.when = "never";
    expect((await read()).status).toBe(200);
    outage.when = "before";
    expect((await service.get("positions", { signer: onSecond.signer })).status).toBe(503);
  });

  test("the process stays ready, and its health names the database", async () => {
    const { service } = world;
    const ready = await service.call("/ready", { signer: null });
    expect([ready.status, ready.json()]).toEqual([
      200,
      { status: "ready", warning: "database 1 fails" },
    ]);
    const health = await service.call("/health", { signer: null });
    expect(health.json()).toEqual({ status: "degraded", problem: "database 1 fails" });
    const operator = await service.signIn("operator");
    const { storageFault } = await operator.data("GET", "/operator/health");
    expect(storageFault).toMatchObject({ reason: "database 1: connect ECONNREFUSED" });
  });

  test("owners of the other database sign in and see their accounts", async () => {
    const { service, onFirst } = world;
    const owner = await service.signIn("owner", { name: onFirst.owner, ownerId: onFirst.owner });
    expect(JSON.stringify(await owner.data("GET", "/accounts"))).toContain(onFirst.accountId);
  });

  test("due work of the database that is away waits, and that of the other one is done", async () => {
    const { service, parts } = world;
    const [first, second] = parts().engine.shards;
    await service.time.pass(86_400_000);
    expect((await first.due.runDue()).accounts).toBeGreaterThan(0);
    await expect(second?.due.runDue()).rejects.toThrow("ECONNREFUSED");
  });

  test("triggers of the database that is away fire once when it is back, at a price that was published then", async () => {
    const { service, parts, onFirst, onSecond } = world;
    await service.quote("BTCUSD", 48_800, 48_810);
    expect(await fillsOf(onSecond)).toEqual([]);
    outage.when = "never";
    for (const watch of parts().storage) await watch.probe();
    for (let second = 0; second < 3; second += 1) await parts().engine.market.sweep();
    await service.quote("BTCUSD", 48_700, 48_710);
    expect(await fillsOf(onSecond)).toEqual([48_810]);
    expect(await fillsOf(onFirst)).toHaveLength(1);
    expect((await service.call("/health", { signer: null })).json()).toMatchObject({
      status: "ok",
    });
  });
});

test("while the clock of another database than the first is more than 2 s away, its health says so and no command on its accounts is carried out [D13.databaseClock]", async () => {
  let aheadMs = 0;
  const { service, parts, onFirst, onSecond } = await openTwo((database) => ({
    ...database,
    async query(text, parameters) {
      const rows = await database.query<never>(text, parameters);
      if (!/clock_timestamp.* as now$/.test(text)) return rows;
      return rows.map(({ now }) => ({ now: String(Number(now) + aheadMs) })) as never;
    },
  }));
  const probed = async (ms: number) => {
    aheadMs = ms;
    for (const watch of parts().storage) await watch.probe();
    return parts().storage.map((watch) => watch.fault()?.reason ?? null);
  };
  const ordered = (signer: Signer) => service.order(MARKET, { signer });
  expect(await probed(1_900)).toEqual([null, null]);
  expect((await ordered(onSecond.signer)).status).toBe(200);
  for (const [ms, side] of [
    [3_600_000, "ahead of"],
    [-60_000, "behind"],
  ] as const) {
    expect(await probed(0)).toEqual([null, null]);
    const faults = await probed(ms);
    expect(faults).toEqual([null, expect.stringMatching(`^its clock is [0-9.]+ s ${side} the`)]);
    const refused = await ordered(onSecond.signer);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([500, "1"]);
    expect((await ordered(onFirst.signer)).status).toBe(200);
    const health = await service.call("/health", { signer: null });
    expect(health.json()).toEqual({ status: "degraded", problem: "database 1 fails" });
  }
  expect(await probed(0)).toEqual([null, null]);
  expect((await ordered(onSecond.signer)).status).toBe(200);
  await service.close();
});
