import type { Database } from "../storage/databases/database.ts";
import { DatabaseAway } from "../storage/databases/database-error.ts";

/** When statements that hold the text fail: before the server has them, or in their answer. */
export interface Outage {
  text: string;
  when: "never" | "before" | "answer";
}

/** The database whose statements fail as those of a lost connection do, while the outage says so. */
export function failing(database: Database, outage: Outage): Database {
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
