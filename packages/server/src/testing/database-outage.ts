import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { DatabaseAway } from "../../../ledger/src/storage/databases/database-error.ts";

/**
 * Makes statements that contain `text` fail, outside of transactions: before the server gets them, or in their answer.
 * A transaction fails only with `before` and an empty `text`, and then it does not begin.
 */
export interface DatabaseOutage {
  text: string;
  when: "never" | "before" | "answer";
}

/** Wraps the database so that statements fail as on a lost connection while the outage lasts. */
export function databaseWithOutage(database: Database, outage: DatabaseOutage): Database {
  return {
    ...database,
    async query(text, parameters) {
      const fails = outage.when !== "never" && text.includes(outage.text);
      if (fails && outage.when === "before") throw new DatabaseAway("connect ECONNREFUSED");
      const rows = await database.query<never>(text, parameters);
      if (fails) throw new DatabaseAway("Connection terminated unexpectedly");
      return rows;
    },
    transaction(work, limits) {
      if (outage.when === "before" && outage.text === "") {
        return Promise.reject(new DatabaseAway("connect ECONNREFUSED"));
      }
      return database.transaction(work, limits);
    },
  };
}
