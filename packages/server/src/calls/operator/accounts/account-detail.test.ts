import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../../ledger/src/storage/databases/database.ts";
import { type Harness, openHarness } from "../../../testing/harness.ts";
import { openTestDatabase } from "../../../testing/open-test-database.ts";
import { createOperatorClient, type OperatorClient } from "../../../testing/operator-client.ts";

const MARKET = { execution_type: "MARKET" };

let service: Harness;
let operator: OperatorClient;
let linesRead = 0;

beforeAll(async () => {
  service = await openHarness({ database: countingLines(await openTestDatabase()) });
  operator = createOperatorClient(service);
  return () => service.close();
});

/** Counts the journal lines that statements outside of a transaction return. */
function countingLines(database: Database): Database {
  return {
    ...database,
    async query(text, parameters, preparing) {
      const rows = await database.query<never>(text, parameters, preparing);
      if (/from journal\b/.test(text)) linesRead += rows.length;
      return rows;
    },
  };
}

/**
 * Opens an account that a falling price eliminates. Then inserts this many journal lines before the account's own
 * lines. No call may read the inserted lines.
 */
async function endedAfter(lines: number): Promise<string> {
  const account = await service.newAccount();
  const signer = await service.newKey({ accountId: account });
  await service.quote("BTCUSD", 50_000, 50_010);
  const order = { ...MARKET, trade_pair: "BTCUSD", order_type: "LONG", quantity: 2 };
  expect((await service.order(order, { signer })).status).toBe(200);
  await service.quote("BTCUSD", 47_000.5, 47_010.5);
  const { database } = service;
  const move = (table: string, column: string) =>
    database.query(`update ${table} set ${column} = ${column} + $2 where account_id = $1`, [
      account,
      lines,
    ]);
  await move("accounts", "version");
  await move("account_states", "version");
  await move("journal", "seq");
  await database.query(
    `insert into journal (account_id, seq, at_ms, origin, command, event, hash)
     select $1, made, 0, 'clock', 'passTime', '{}', '' from generate_series(1, $2::bigint) made`,
    [account, lines],
  );
  return account;
}

test.each([10, 1_000, 100_000])(
  "an account that ended after %i lines shows its end from the last ones [D13.evidence]",
  async (lines) => {
    const account = await endedAfter(lines);
    linesRead = 0;
    const { end } = await operator.data("GET", `/accounts/${account}`);
    expect(end).toMatchObject({ limit: "dailyLoss", floor: 95_000, quotes: [{ bid: 47_000.5 }] });
    expect(linesRead).toBeGreaterThan(0);
    expect(linesRead).toBeLessThanOrEqual(120);
  },
);
