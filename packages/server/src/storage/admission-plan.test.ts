import { unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { encodeParameter } from "../../../ledger/src/storage/stores/column-text.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { openNewTestDatabase } from "../testing/open-test-database.ts";
import { createAdmissionStore } from "./admission-store.ts";

const START = 1_767_614_400_000;
const KEYS = 4_000;
const BATCH = 64;
const EXECUTIONS_BEFORE = 5;
const TABLES = ["nonces", "nonce_blocks", "key_usage", "keys", "accounts"] as const;

interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** The statement that admits a batch. */
async function admissionOf(database: Database): Promise<Statement> {
  const statements: Statement[] = [];
  const store = createAdmissionStore({
    ...database,
    async query(text, parameters = []) {
      statements.push({ text, parameters });
      return [];
    },
  });
  const requests = Array.from({ length: BATCH }, (_, index) => ({
    keyId: `key-${index}`,
    nonce: `new-${index}`,
    budget: "reads" as const,
    isWrite: false,
    isPlacement: false,
    address: "::1",
    signedAtMs: START,
    hasScope: true,
  }));
  const refused = { hourStartMs: START, storedMax: 3_600 };
  await store.admit(requests, { now: unixMs(START), windowStartMs: START, refused });
  const [statement] = statements;
  if (statement === undefined) throw new Error("the store sent no statement");
  return statement;
}

/** The plan that a connection keeps. PostgreSQL chooses it after five executions. */
async function keptPlan(database: Database): Promise<readonly string[]> {
  const { text, parameters } = await admissionOf(database);
  const values = parameters.map((value) => `'${encodeParameter(value)?.replaceAll("'", "''")}'`);
  return database.transaction(async (transaction) => {
    await transaction.query(`prepare admission as ${text}`);
    let lines: readonly string[] = [];
    for (let execution = 0; execution <= EXECUTIONS_BEFORE; execution += 1) {
      const plan = await transaction.query<{ "QUERY PLAN": string }>(
        `explain (costs off) execute admission (${values.join(", ")})`,
      );
      lines = plan.map((row) => row["QUERY PLAN"]);
    }
    await transaction.query("deallocate admission");
    return lines;
  });
}

/** The scans that read a whole table. */
function wholeReads(plan: readonly string[]): readonly string[] {
  return plan.filter((line) => line.includes("Seq Scan on"));
}

await describeOnEachDatabase(
  "the plan of an admission",
  (database) => {
    test("an admission on a new database already reads nonces by key, and keeps that plan while they grow", async () => {
      const plan = await keptPlan(database());
      expect(wholeReads(plan).filter((line) => line.includes(" on nonce"))).toEqual([]);
      expect(plan.join("\n")).toContain("using nonce_blocks_pkey");
    });

    test("an admission reads every table by key while the statistics still call the tables empty", async () => {
      for (const table of TABLES) await database().query(`vacuum analyze ${table}`);
      await database().query(`
      insert into accounts (account_id, owner_id, status, version, head_hash, exposed, created_at_ms, network)
        select md5(n::text)::uuid, 'owner', 'active', 1, ''::bytea, false, ${START}, 'vanta'
        from generate_series(1, ${KEYS}) n;
      insert into keys (key_id, account_id, scopes, sealed_secret, created_at_ms)
        select 'key-' || n, md5(n::text)::uuid, '{read}', '\\x01', ${START} from generate_series(1, ${KEYS}) n;
      insert into key_usage (key_id) select 'key-' || n from generate_series(1, ${KEYS}) n
        on conflict do nothing;
      insert into nonces (key_id, nonce, used_at_ms)
        select 'key-' || n % ${KEYS}, 'used-' || n, ${START} from generate_series(1, ${10 * KEYS}) n;
      insert into nonce_blocks (key_id, first, hashes)
        select 'key-' || n, '00000000-0000-0000-0000-000000000000',
          array(select md5(n || ' ' || m)::uuid from generate_series(1, 40) m order by 1)
        from generate_series(1, ${KEYS}) n`);
      const plan = await keptPlan(database());
      expect(wholeReads(plan)).toEqual([]);
      expect(plan.join("\n")).toContain("using nonce_blocks_pkey");
    });

    test("an admission reads every table by key with fresh statistics", async () => {
      for (const table of TABLES) await database().query(`analyze ${table}`);
      const plan = await keptPlan(database());
      expect(wholeReads(plan)).toEqual([]);
      expect(plan.join("\n")).toContain("using nonce_blocks_pkey");
    });
  },
  openNewTestDatabase,
);
