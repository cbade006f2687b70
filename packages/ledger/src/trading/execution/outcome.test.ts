import { expect, test } from "vitest";
import { countingNetwork } from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import type { Database } from "../../storage/databases/database.ts";
import { DatabaseAway } from "../../storage/databases/database-error.ts";
import { outcomeOf } from "./batch-run.ts";

const withCode = (code: string): Error => Object.assign(new Error(code), { code });
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
  ["a statement that the database rejects", withCode("42P01"), true, "unknown"],
])(
  "a batch that failed by %s has the outcome that the cause allows",
  (_, cause, reachesCommit, is) => {
    expect(outcomeOf(cause, reachesCommit).is).toBe(is);
  },
);

/** Fails the next statements that write a batch. */
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
    const network = countingNetwork(failingWrites(database(), causes), { batchMax: 2 });
    const id = await network.open();
    causes.push(LOCKED);
    const ends = await Promise.all([1, 2, 3].map(() => network.count(id)));
    expect(ends.map((one) => one.ok && one.account.version)).toEqual([2, 3, 4]);
  });

  test("a batch that was rolled back has an unknown fate the second time, and later commands are carried out", async () => {
    const causes: Error[] = [];
    const network = countingNetwork(failingWrites(database(), causes));
    const id = await network.open();
    causes.push(LOCKED, DEADLOCK);
    await expect(network.count(id)).rejects.toMatchObject({ name: "UnknownFate", cause: DEADLOCK });
    expect(await network.count(id)).toMatchObject({ ok: true, account: { version: 2 } });
  });
});
