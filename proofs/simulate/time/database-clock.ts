import type {
  Database,
  Queryable,
} from "../../../packages/ledger/src/storage/databases/database.ts";

/** The function that a statement calls to read the database's clock. */
const CLOCK = "clock_timestamp()";

const OWN_CLOCK = `
create function public.clock_timestamp() returns timestamptz language sql volatile as
  $$ select to_timestamp(current_setting('simulated.now_ms')::float8 / 1000) $$`;

/**
 * The database with the run's clock instead of its own. A prepared statement gets the time as an additional parameter,
 * because a function that is called for every row of a statement is slow. For other statements the schema `public` has
 * a function of the same name, which PostgreSQL finds first.
 */
export async function withRunClock(database: Database, nowMs: () => number): Promise<Database> {
  await database.query(OWN_CLOCK, []);
  await database.query("set search_path = public, pg_catalog", []);
  const on = (real: Queryable): Queryable => ({
    async query(text, parameters) {
      if (!text.includes(CLOCK)) return real.query(text, parameters);
      if (parameters !== undefined) {
        const time = `to_timestamp($${parameters.length + 1}::float8)`;
        return real.query(text.replaceAll(CLOCK, time), [...parameters, nowMs() / 1_000]);
      }
      await real.query("select set_config('simulated.now_ms', $1, false)", [String(nowMs())]);
      return real.query(text);
    },
  });
  return {
    ...database,
    ...on(database),
    transaction: (work) => database.transaction((real) => work(on(real))),
  };
}
