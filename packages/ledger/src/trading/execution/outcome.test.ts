import { expect, test } from "vitest";
import { createCountingNetwork } from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import {
  openScratchPostgres,
  testPostgresUrl,
} from "../../../../server/src/testing/open-test-database.ts";
import type { Database } from "../../storage/databases/database.ts";
import { DatabaseAway } from "../../storage/databases/database-error.ts";
import { failureOutcome } from "./batch-run.ts";

const withCode = (code: string, severity?: string): Error =>
  Object.assign(new Error(code), { code, ...(severity === undefined ? {} : { severity }) });
const PAUSED = withCode("25P03");
const LOCKED = withCode("55P03");
const DEADLOCK = withCode("40P01");
const AWAY = new DatabaseAway("Connection terminated unexpectedly");

test.each([
  ["a pause of this process, before the statement", PAUSED, false, "rolledBack"],
  ["a lock that was not released in time", LOCKED, true, "rolledBack"],
  ["a deadlock", DEADLOCK, true, "rolledBack"],
  ["a connection that broke before the statement", AWAY, false, "rolledBack"],
  ["a connection that broke after the statement was sent", AWAY, true, "unknown"],
  ["a statement that the database rejects", withCode("42P01", "ERROR"), true, "failed"],
  ["a full disk", withCode("53100", "ERROR"), true, "failed"],
  ["a full disk that stopped the server", withCode("53100", "PANIC"), true, "unknown"],
  ["a full disk, in another language", withCode("53100", "FEHLER"), true, "unknown"],
  ["a lack of memory", withCode("53200", "ERROR"), true, "failed"],
  ["a limit of the configuration", withCode("53400", "ERROR"), true, "failed"],
  ["too many connections", withCode("53300", "FATAL"), true, "failed"],
  ["a server that starts", withCode("57P03", "FATAL"), true, "failed"],
  ["a server that stops", withCode("57P01", "FATAL"), true, "unknown"],
  ["a statement that was cancelled", withCode("57014", "ERROR"), true, "failed"],
  [
    "a statement that was cancelled, in another language",
    withCode("57014", "FEHLER"),
    true,
    "failed",
  ],
  ["a pooler that gave a statement up", withCode("57014", "FATAL"), true, "unknown"],
  ["a standby, in another language", withCode("25006", "ERREUR"), true, "failed"],
  ["a file that cannot be read", withCode("58030", "ERROR"), true, "failed"],
  ["a pooler that lost the server", withCode("08P01", "ERROR"), true, "unknown"],
  ["a completion that is unknown", withCode("40003", "ERROR"), true, "unknown"],
])(
  "a batch that failed by %s has the outcome that the cause allows",
  (_, cause, reachesCommit, is) => {
    expect(failureOutcome(cause, reachesCommit).is).toBe(is);
  },
);

/** A database whose next statements that write a batch fail with these causes. */
function failingWrites(database: Database, causes: Error[]): Database {
  return {
    ...database,
    query: (text, parameters) => {
      const cause = text.includes("insert into journal") ? causes.shift() : undefined;
      return cause === undefined ? database.query(text, parameters) : Promise.reject(cause);
    },
  };
}

await describeOnEachDatabase("a batch that the database rolled back", (database) => {
  test("a batch that was rolled back is tried once more, and its commands keep their order", async () => {
    const causes: Error[] = [];
    const network = createCountingNetwork(failingWrites(database(), causes), { batchMax: 2 });
    const id = await network.open();
    causes.push(LOCKED);
    const ends = await Promise.all([1, 2, 3].map(() => network.count(id)));
    expect(ends.map((one) => one.ok && one.account.version)).toEqual([2, 3, 4]);
  });

  test("a batch that was rolled back is not written the second time, and later commands are carried out", async () => {
    const causes: Error[] = [];
    const network = createCountingNetwork(failingWrites(database(), causes));
    const id = await network.open();
    causes.push(LOCKED, DEADLOCK);
    await expect(network.count(id)).rejects.toMatchObject({ name: "NotWritten", cause: DEADLOCK });
    expect(await network.count(id)).toMatchObject({ ok: true, account: { version: 2 } });
  });
});

/** Makes the journal reject every line with a trigger that has this body. The returned function removes the trigger. */
async function rejectLines(database: Database, body: string): Promise<() => Promise<unknown>> {
  await database.query(
    `create function reject_line() returns trigger language plpgsql as
       $$ begin ${body}; return new; end $$;
     create trigger reject_line before insert on journal for each row execute function reject_line()`,
  );
  return () => database.query("drop trigger reject_line on journal; drop function reject_line()");
}

await describeOnEachDatabase("a batch that the database rejects", (database) => {
  test.each(["53100", "53200", "53400", "22003", "42501", "57014", "58030", "P0001", "XX000"])(
    "a batch that the database rejects with %s was not carried out, and no account counts as doubtful [D5.networkDown]",
    async (state) => {
      const network = createCountingNetwork(database());
      const id = await network.open();
      const doubted: string[] = [];
      network.executor.onUnknownFate((accounts) => doubted.push(...accounts));
      const accept = await rejectLines(database(), `raise 'planted' using errcode = '${state}'`);
      const failure = await network.count(id).catch((cause: unknown) => cause);
      await accept();
      expect(failure).toMatchObject({ name: "NotWritten", cause: { code: state } });
      expect(doubted).toEqual([]);
      expect(await network.count(id)).toMatchObject({ ok: true, account: { version: 2 } });
    },
  );
});

const url = await testPostgresUrl();

test.skipIf(url === null)(
  "a batch whose session the server ends has an unknown fate [D5.unknownFate]",
  async () => {
    await using stack = new AsyncDisposableStack();
    const database = stack.adopt(await openScratchPostgres(url ?? ""), (one) => one.close());
    const network = createCountingNetwork(database);
    const id = await network.open();
    await rejectLines(database, "perform pg_terminate_backend(pg_backend_pid())");
    await expect(network.count(id)).rejects.toMatchObject({ name: "UnknownFate" });
  },
);
