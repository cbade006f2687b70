import { accountId, microUsd, unixMs } from "@propgate/core";
import { beforeAll, expect, test } from "vitest";
import type { Database, Queryable } from "../../../ledger/src/storage/databases/database.ts";
import {
  loadExposed,
  readExposedVersions,
} from "../../../ledger/src/storage/stores/account-rows.ts";
import { createAccountStore } from "../../../ledger/src/storage/stores/account-store.ts";
import { encodeParameter } from "../../../ledger/src/storage/stores/column-text.ts";
import { createEquityStore } from "../../../ledger/src/storage/stores/equity-store.ts";
import { createNonceStore } from "../../../ledger/src/storage/stores/nonce-store.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { type Harness, openHarness, START_MS } from "../testing/harness.ts";
import { openNewTestDatabase } from "../testing/open-test-database.ts";
import { openPagedService, type PagedService } from "../testing/page-client.ts";

const ACCOUNTS = 10_000;
const DAY_MS = 86_400_000;
/** After this many executions, PostgreSQL decides whether it keeps one plan for all values. */
const EXECUTIONS_BEFORE = 5;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const KEYS = /\b(account_id|key_id)\b/;
/** Columns that find accounts without their ids: those of an owner, those of a partition, and those that are due. */
const OTHER_KEYS = ["owner_id", "partition_of", "due_at_ms"] as const;

interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** A step of a query plan, with the steps below it, as PostgreSQL's JSON has it. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Recheck Cond"?: string;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Wraps the database. `record` returns the statements with parameters that the database executes during `work`, each
 * text once.
 */
function recorded(database: Database): {
  readonly database: Database;
  record(work: () => Promise<void>): Promise<readonly Statement[]>;
} {
  let statements: Map<string, Statement> | null = null;
  const noting = (on: Queryable): Queryable => ({
    query(text, parameters) {
      // Statements without parameters lock and set limits. They read no table.
      if (parameters !== undefined) statements?.set(text, { text, parameters });
      return on.query(text, parameters);
    },
  });
  return {
    database: {
      ...database,
      ...noting(database),
      transaction: (work, limits) => database.transaction((on) => work(noting(on)), limits),
    },
    async record(work) {
      const noted = new Map<string, Statement>();
      statements = noted;
      await work();
      statements = null;
      return [...noted.values()];
    },
  };
}

/**
 * Stores accounts, keys and their rows. There are so many that no plan reads a whole table because the table is small.
 */
async function fill(database: Database): Promise<void> {
  const account = "('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid";
  const rows = (perAccount: number): string =>
    `generate_series(1, ${ACCOUNTS}) n, generate_series(1, ${perAccount}) m`;
  await database.query(`
    insert into accounts (account_id, owner_id, status, version, head_hash, exposed, due_at_ms, created_at_ms)
      select ${account}, 'filled-' || n / 3, 'active', 3, '\\x00', n % 500 = 0, ${START_MS} + 864000000 + n * 1000, ${START_MS}
      from ${rows(1)};
    insert into account_states (account_id, version, state)
      select ${account}, 3, '{}' from ${rows(1)} where n % 500 <> 0;
    insert into journal (account_id, seq, at_ms, origin, command, event, hash)
      select ${account}, m, ${START_MS}, 'clock', 'passTime', '{}', '\\x00' from ${rows(3)};
    insert into keys (key_id, account_id, scopes, sealed_secret, created_at_ms)
      select 'pk_' || lpad(n::text, 20, '0'), ${account}, '{read}', '\\x01', ${START_MS} from ${rows(1)};
    insert into key_usage (key_id) select 'pk_' || lpad(n::text, 20, '0') from ${rows(1)};
    insert into nonces (key_id, nonce, used_at_ms, is_write)
      select 'pk_' || lpad(n::text, 20, '0'), 'used-' || m, ${START_MS}, true from ${rows(3)};
    insert into nonce_blocks (key_id, first, hashes)
      select 'pk_' || lpad(n::text, 20, '0'), '00000000-0000-0000-0000-000000000000', '{}' from ${rows(1)};
    insert into receipts (key_id, nonce, decided_at_ms, status, error)
      select 'pk_' || lpad(n::text, 20, '0'), 'used-' || m, ${START_MS}, 400, 'refused' from ${rows(3)};
    insert into trades (account_id, seq, trade_id, closed_at_ms, trade)
      select ${account}, m, 'trade-' || m, ${START_MS}, '{}' from ${rows(2)};
    insert into payouts (account_id, payout_id, period_start_ms, period_end_ms, seq, status, payout)
      select ${account}, 'po_' || n, ${START_MS}, ${START_MS} + n, 1, 'paid', '{}' from ${rows(1)};
    insert into daily_returns (account_id, day_start_ms, percent)
      select ${account}, ${START_MS} + m, 0 from ${rows(2)};
    insert into equity_points (account_id, at_ms, equity, balance, floors)
      select ${account}, ${START_MS} + m, 0, 0, '{}' from ${rows(3)};
    insert into rejected_orders (account_id, seq, order_uuid, rejected_at_ms, code, refusal, placed)
      select ${account}, m, 'order-' || m, ${START_MS}, 'cap', '{}', '{}' from ${rows(1)};
    insert into linked_accounts (account_id, hotkey, subaccount_id, subaccount_uuid, profit_split, linked_at_ms)
      select ${account}, 'hotkey-' || n, n, 'uuid-' || n, 1, ${START_MS} from ${rows(1)};
    insert into upstream_orders (order_uuid, account_id, key_id, nonce, execution_type, command, created_at_ms)
      select 'order-' || n, ${account}, 'pk_' || lpad(n::text, 20, '0'), 'sent-' || m, 'MARKET', '{}', ${START_MS}
      from ${rows(1)};
    analyze`);
}

/** Does the daily work of a service, in a process without any account or key in memory. */
async function serve(service: PagedService, { signer, accountId }: Harness): Promise<void> {
  await service.quote("BTCUSD", 50_000, 50_010);
  const buy = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 1_000 };
  const limit = { ...buy, execution_type: "LIMIT", limit_price: 49_000 };
  const sell = { ...buy, order_type: "FLAT" };
  for (const [index, trade] of [buy, limit, sell, { ...buy, value: 1_000_000_000 }].entries()) {
    await service.order(trade, { signer, nonce: `order-${index}` });
    await service.get(`receipts/order-${index}`, { signer });
  }
  for (const endpoint of ["account", "positions", "orders", "trades", "payouts", "receipts/none"]) {
    await service.get(endpoint, { signer });
  }
  await service.quote("BTCUSD", 48_000, 48_010);
  const calls = ["state", "trades", "equity", "cycles", "objectives", "journal", "payouts"];
  for (const call of calls) await service.page("GET", `/accounts/${accountId}/${call}`);
  await service.page("GET", "/accounts");
  await service.newKey({ accountId });
  await service.pass(DAY_MS);
}

/** Does the work of the service's jobs: due accounts, exposed accounts, equity and old nonces. */
async function work(database: Database, { accountId: account }: Harness): Promise<void> {
  const page = { firstPartition: 3, lastPartition: 5, after: null, limit: 1_000 };
  await readExposedVersions(database, page);
  await loadExposed(database, page);
  const after = { dueAtMs: unixMs(0), accountId: accountId(FIRST_ID) };
  const due = { after, limit: 1_000, partitions: [3, 4, 5] };
  await createAccountStore(database).due(unixMs(START_MS), due);
  const equity = createEquityStore(database);
  const figures = { equity: microUsd(1), balance: microUsd(1), floors: [] };
  await equity.add([{ accountId: account, atMs: unixMs(START_MS), ...figures }]);
  await equity.thin([account], { after: START_MS, upTo: START_MS + DAY_MS, stepMs: DAY_MS });
  const nonces = createNonceStore(database);
  await nonces.keys({ after: "", beforeMs: START_MS, limit: 100 });
}

/**
 * The plans of the first six executions on a connection. From the sixth on, PostgreSQL may keep one plan for all
 * values.
 */
async function plansOf(
  database: Database,
  { text, parameters }: Statement,
): Promise<readonly PlanNode[]> {
  const values = parameters.map((value) => {
    const given = encodeParameter(value);
    return given === null ? "null" : `'${given.replaceAll("'", "''")}'`;
  });
  const list = values.length === 0 ? "" : `(${values.join(", ")})`;
  return database.transaction(async (transaction) => {
    await transaction.query(`prepare hot as ${text}`);
    const plans: PlanNode[] = [];
    for (let execution = 0; execution <= EXECUTIONS_BEFORE; execution += 1) {
      const [row] = await transaction.query<{ "QUERY PLAN": string }>(
        `explain (format json) execute hot ${list}`,
      );
      const [top] = JSON.parse(row?.["QUERY PLAN"] ?? "[]") as readonly {
        readonly Plan: PlanNode;
      }[];
      if (top !== undefined) plans.push(top.Plan);
    }
    await transaction.query("deallocate hot");
    return plans;
  });
}

/** The names of the tables with a column for the id of an account or a key, with the partitions of such tables. */
async function keyedTables(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ readonly name: string }>(
    `select distinct table_name::text as name from information_schema.columns
     where table_schema = 'public' and column_name = any ($1)`,
    [["account_id", "key_id"]],
  );
  return new Set(rows.map(({ name }) => name));
}

/** The reads in the plan that find rows of these tables by none of the columns of `KEYS` and `OTHER_KEYS`. */
function problemsOf(node: PlanNode, tables: ReadonlySet<string>): readonly string[] {
  const inner = (node.Plans ?? []).flatMap((one) => problemsOf(one, tables));
  const table = node["Relation Name"];
  if (table === undefined || !tables.has(table) || node["Node Type"] === "ModifyTable")
    return inner;
  const condition = node["Index Cond"] ?? node["Recheck Cond"] ?? "";
  const isByKey = KEYS.test(condition) || OTHER_KEYS.some((key) => condition.includes(key));
  return isByKey ? inner : [...inner, `${node["Node Type"]} on ${table} by (${condition})`];
}

await describeOnEachDatabase(
  "the statements of a service with many accounts",
  (database) => {
    let first: Harness;
    let second: PagedService;
    let statements: readonly Statement[];
    let tables: ReadonlySet<string>;
    beforeAll(async () => {
      first = await openHarness({ database: database() });
      await fill(database());
      const recorder = recorded(database());
      const kept = { ...recorder.database, close: async () => undefined };
      second = await openPagedService({ harness: { database: kept, seed: "second" } });
      statements = await recorder.record(async () => {
        await serve(second, first);
        await work(recorder.database, first);
      });
      tables = await keyedTables(database());
      return async () => {
        await second.close();
        await first.close();
      };
    });

    const problemsIn = async (statement: Statement): Promise<readonly string[]> => {
      const plans = await plansOf(database(), statement);
      expect(plans).toHaveLength(EXECUTIONS_BEFORE + 1);
      return plans.flatMap((plan) => problemsOf(plan, tables));
    };

    test("each reads the rows of accounts and keys by their keys, with its first plan and the kept one", async () => {
      const found: string[] = [];
      for (const statement of statements) {
        const problems = new Set(await problemsIn(statement));
        found.push(...[...problems].map((problem) => `${problem}: ${statement.text}`));
      }
      expect(found).toEqual([]);
    });

    test.each([
      ["an admission", "insert into nonces"],
      ["a commit", "insert into journal"],
      ["an order's receipt", "insert into receipts"],
      ["the load of a state", "join account_states s using (account_id) where a.account_id"],
      ["the load of exposed accounts", "join account_states s using (account_id) where a.exposed"],
      ["a page of exposed versions", "as head_hash\n     from accounts a where a.exposed"],
      ["the lookup of a key", "from keys k where k.key_id = any"],
      ["the reading of a receipt", "left join receipts r on"],
      ["a page of a journal", "from journal where account_id = $1"],
      ["a page of due accounts", "order by due_at_ms, account_id limit"],
      ["closed trades", "from trades where account_id"],
      ["payouts", "from payouts"],
      ["points of equity", "insert into equity_points"],
    ])("%s is among them", (_, part) => {
      expect(statements.some(({ text }) => text.includes(part))).toBe(true);
    });

    test.each([
      "select account_id from journal where nonce = $1",
      "select account_id from accounts where status = $1",
      "select key_id from keys where label = $1",
      "select key_id from nonces where nonce = $1",
    ])("a statement without a key would be found: %s", async (text) => {
      expect(await problemsIn({ text, parameters: ["x"] })).not.toEqual([]);
    });
  },
  openNewTestDatabase,
);
