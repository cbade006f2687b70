import type {
  Database,
  Queryable,
} from "../../../packages/server/src/storage/databases/database.ts";

/** The name of the function in every statement that reads the database's clock. */
const CLOCK = "clock_timestamp()";

const OWN_CLOCK = `
create function public.clock_timestamp() returns timestamptz language sql volatile as
  $$ select to_timestamp(current_setting('simulated.now_ms')::float8 / 1000) $$`;

/**
 * The database with the run's clock in place of its own: the schema `public` has a function of the same name, which is
 * found first.
 */
export async function withRunClock(database: Database, nowMs: () => number): Promise<Database> {
  await database.query(OWN_CLOCK, []);
  await database.query("set search_path = public, pg_catalog", []);
  const on = (real: Queryable): Queryable => ({
    async query(text, parameters) {
      if (text.includes(CLOCK)) {
        const now = String(nowMs());
        await real.query("select set_config('simulated.now_ms', $1, false)", [now]);
      }
      return real.query(text, parameters);
    },
  });
  return {
    ...database,
    ...on(database),
    transaction: (work) => database.transaction((real) => work(on(real))),
  };
}
