import { basename } from "node:path";
import pg from "pg";
import { TEST_MAX_MS } from "../../../../test/environment/test-max-ms.ts";
import { deletionStatements } from "./deletion-statements.ts";

/** Runs a statement on the server and resolves with its rows. */
export type RunOnServer = (statement: string) => Promise<readonly Record<string, unknown>[]>;

/**
 * The prefix of the names of kept databases: those that tests have closed, emptied for the next test of the run in any
 * process. They are kept because PostgreSQL creates about a thousand files for each database and removes them again,
 * and after many removals a file system is slow to find free space.
 *
 * A kept database has another name than a used one. So a service that outlives its test does not find it, and a
 * database that a test left behind does not count as kept. `runFolder` is the temporary folder of the run.
 */
export function keptDatabasePrefix(runFolder: string): string {
  return `propgate_kept_${basename(runFolder).replaceAll(/\W/g, "_")}_`;
}

/** Renames a kept database to this name; false when none is kept. Only one process may call this at a time. */
export async function takeKeptDatabase(
  run: RunOnServer,
  { runFolder, name }: { readonly runFolder: string; readonly name: string },
): Promise<boolean> {
  const [kept] = await keptDatabases(run, runFolder);
  if (kept === undefined) return false;
  await run(`alter database ${kept} rename to ${name}`);
  return true;
}

/** Keeps a database that `emptyDatabase` has emptied. No session may be connected to it. */
export async function keepDatabase(
  run: RunOnServer,
  { runFolder, name }: { readonly runFolder: string; readonly name: string },
): Promise<void> {
  const unique = name.slice(name.lastIndexOf("_") + 1);
  await run(`alter database ${name} rename to ${keptDatabasePrefix(runFolder)}${unique}`);
}

/** Drops the kept databases of a run, at its end. */
export async function dropKeptDatabases(run: RunOnServer, runFolder: string): Promise<void> {
  for (const name of await keptDatabases(run, runFolder)) {
    await run(`drop database if exists ${name} with (force)`);
  }
}

async function keptDatabases(run: RunOnServer, runFolder: string): Promise<readonly string[]> {
  const prefix = keptDatabasePrefix(runFolder);
  const rows = await run(
    `select datname from pg_database where starts_with(datname, '${prefix}') order by datname`,
  );
  return rows.map(({ datname }) => String(datname));
}

/**
 * Ends the other sessions of the database and deletes its rows. False, without a deletion, when anything but rows
 * differs from `shape`, or when the database cannot be used any more.
 */
export async function emptyDatabase(url: string, shape: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  // A test may end the server's sessions, this one among them.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(
      `select pg_terminate_backend(pid, ${TEST_MAX_MS}) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    );
    const query: RunOnServer = async (text) => (await client.query(text)).rows;
    if ((await databaseShape(query)) !== shape) return false;
    await query((await deletionStatements(query)).join(";"));
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

/**
 * The statements that read everything but the tables' rows: the database's own objects and settings, and the tables of
 * which the planner still has statistics. Only the rows about migrations are read too.
 */
const SHAPE_STATEMENTS: readonly string[] = [
  `select to_jsonb(c) - '{relfilenode,relpages,reltuples,relallvisible,relfrozenxid,relminmxid}'::text[]
     from pg_class c where oid >= 16384`,
  "select to_jsonb(a) from pg_attribute a where attrelid >= 16384",
  "select to_jsonb(d) from pg_attrdef d",
  "select to_jsonb(o) from pg_constraint o where oid >= 16384",
  "select to_jsonb(i) from pg_index i where indexrelid >= 16384",
  "select to_jsonb(t) from pg_trigger t",
  "select to_jsonb(p) from pg_proc p where oid >= 16384",
  "select to_jsonb(n) from pg_namespace n where nspname !~ '^pg_(toast_)?temp_'",
  "select to_jsonb(l) from pg_default_acl l",
  "select to_jsonb(e) from pg_extension e",
  "select to_jsonb(s) from pg_db_role_setting s join pg_database d on d.oid = setdatabase where datname = current_database()",
  "select jsonb_build_array(datacl, datconnlimit, datdba) from pg_database where datname = current_database()",
  "select to_jsonb(starelid) from pg_statistic where starelid >= 16384",
  "select to_jsonb(m) from schema_migrations m",
];

/** A hash of everything that `SHAPE_STATEMENTS` reads. */
export async function databaseShape(query: RunOnServer): Promise<string> {
  const parts = SHAPE_STATEMENTS.map(
    (rows) => `(select string_agg(x::text, ',' order by x::text) from (${rows}) as one(x))`,
  );
  const [row] = await query(`select md5(concat_ws('/', ${parts.join(", ")})) as shape`);
  return String(row?.shape);
}
