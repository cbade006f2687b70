import { accountId, microUsd, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../testing/each-database.ts";
import type { Database } from "../../databases/database.ts";
import { createEquityStore } from "../../stores/equity-store.ts";
import { MIGRATIONS, migrate } from "../migrate.ts";
import { FLOORS_BY_RULE } from "./0015-floors-by-rule.ts";

const STATIC = accountId("0d5c2a34-59b8-4a3e-9d4f-000000000001");
const TRAILING = accountId("0d5c2a34-59b8-4a3e-9d4f-000000000002");
const PRO = accountId("0d5c2a34-59b8-4a3e-9d4f-000000000003");
const PRO_FROM_MS = 5_000;

interface Sold {
  readonly account: string;
  readonly criteria: "static" | "trailing";
  readonly phase: string;
}

async function opened(database: Database, { account, criteria, phase }: Sold): Promise<void> {
  await database.query(
    `insert into accounts (account_id, owner_id, status, version, state, head_hash, exposed, created_at_ms)
     values ($1, 'ann', 'active', 1, $2, '', true, 0)`,
    [account, JSON.stringify({ phase })],
  );
  await entered(
    database,
    { account, seq: 1, atMs: 0 },
    { type: "accountOpened", terms: { criteria } },
  );
}

function entered(
  database: Database,
  at: { readonly account: string; readonly seq: number; readonly atMs: number },
  event: object,
): Promise<unknown> {
  return database.query(
    `insert into journal (account_id, seq, at_ms, origin, command, event, hash)
     values ($1, $2, $3, 'operator', 'openAccount', $4, '')`,
    [at.account, at.seq, at.atMs, JSON.stringify(event)],
  );
}

await describeOnEachDatabase("points of equity with two columns of floors", (database) => {
  test("keep their floors, by the rule that bound the account at that moment", async () => {
    await database().query("drop schema public cascade; create schema public");
    const before = MIGRATIONS.filter(({ number }) => number < FLOORS_BY_RULE.number);
    await migrate(database(), before);
    await opened(database(), { account: STATIC, criteria: "static", phase: "funded" });
    await opened(database(), { account: TRAILING, criteria: "trailing", phase: "challenge" });
    await opened(database(), { account: PRO, criteria: "static", phase: "proChallengeDirect" });
    await entered(database(), { account: PRO, seq: 2, atMs: PRO_FROM_MS }, { type: "proStarted" });
    await database().query(
      `insert into equity_points (account_id, at_ms, equity, balance, daily_floor, max_floor) values
       ($1, 1000, 100, 100, 95, 90), ($1, 2000, 100, 100, null, null), ($2, 1000, 100, 100, 96, 91),
       ($3, 4999, 100, 100, 97, 92), ($3, 5000, 100, 100, 98, 93)`,
      [STATIC, TRAILING, PRO],
    );

    await migrate(database());

    const floorsOf = async (account: typeof STATIC) =>
      (await createEquityStore(database()).between(account, { after: 0, upTo: 9_000 })).map(
        ({ atMs, floors }) => [atMs, ...floors],
      );
    const floor = (rule: string, micro: number) => ({ rule, floor: microUsd(micro) });
    expect(await floorsOf(STATIC)).toEqual([
      [unixMs(1000), floor("dailyLoss", 95), floor("staticLoss", 90)],
      [unixMs(2000)],
    ]);
    expect(await floorsOf(TRAILING)).toEqual([
      [unixMs(1000), floor("dailyLoss", 96), floor("endOfDayTrailing", 91)],
    ]);
    expect(await floorsOf(PRO)).toEqual([
      [unixMs(4999), floor("dailyLoss", 97), floor("staticLoss", 92)],
      [unixMs(5000), floor("dailyLoss", 98), floor("endOfDayTrailing", 93)],
    ]);
  });
});
