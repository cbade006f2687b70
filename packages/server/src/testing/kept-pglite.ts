import { PGlite } from "@electric-sql/pglite";
import type { Database, Queryable } from "../../../ledger/src/storage/databases/database.ts";
import {
  createPgliteDatabase,
  type OpenedPglite,
  startPgliteSession,
} from "../../../ledger/src/storage/databases/pglite-database.ts";
import { type DatabaseImage, ImageFileSystem } from "./database-image.ts";
import { deletionStatements } from "./deletion-statements.ts";

/**
 * Databases that tests have closed, emptied for the next test of the same process. Emptying takes a thirtieth of the
 * processor time of opening, which is most of what a short test file takes. The prepared statements stay, with their
 * plans: a short test would spend more on planning its statements than on carrying them out.
 */
const keptDatabases: OpenedPglite[] = [];
/** The maximum number of kept databases. Each takes some 60 MB, and few tests have more of them open. */
const MAX_KEPT = 2;

/** Opens a database that an earlier test has closed, or a new one. */
export async function openKeptPglite(image: () => Promise<DatabaseImage>): Promise<Database> {
  return lendDatabase(keptDatabases.pop() ?? (await newPglite(image)));
}

/** Opens a database that no test has used. */
export async function openNewPglite(image: () => Promise<DatabaseImage>): Promise<Database> {
  return lendDatabase(await newPglite(image));
}

/** Opens a new database. Its buffers are small: buffers of the usual size take longer to clear than to use. */
async function newPglite(image: () => Promise<DatabaseImage>): Promise<OpenedPglite> {
  const pglite = await PGlite.create({
    fs: new ImageFileSystem(await image()),
    startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=2MB"],
  });
  return startPgliteSession(pglite);
}

/**
 * Lends a database until it is closed. Afterwards it rejects statements, so a service that outlives its test does not
 * write into the next test's database.
 */
function lendDatabase(opened: OpenedPglite): Database {
  const database = createPgliteDatabase(opened);
  let hasOnlyRows = true;
  let closed: Promise<void> | null = null;
  const watched = (on: Queryable): Queryable => ({
    query(text, ...rest) {
      hasOnlyRows &&= changesOnlyRows(text);
      return on.query(text, ...rest);
    },
  });
  const refuseClosed = (): void => {
    if (closed !== null) throw new Error("the test database is closed");
  };
  const close = async (): Promise<void> => {
    if (hasOnlyRows && keptDatabases.length < MAX_KEPT && (await emptyDatabase(database)))
      keptDatabases.push(opened);
    else await database.close();
  };
  return {
    ...database,
    async query(text, parameters) {
      refuseClosed();
      return watched(database).query(text, parameters);
    },
    async transaction(work, limits) {
      refuseClosed();
      return database.transaction((on) => work(watched(on)), limits);
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}

const OF_ROWS = /^\s*(select|insert|update|delete|with|begin|commit|rollback|savepoint|release)\b/i;
/** Matches a change of the rows about migrations, which are the only rows of a new database. */
const OF_MIGRATIONS = /\b(into|update|from)\s+schema_migrations\s+(\(|values|set|where)/i;

/** True when a database is as good as new after a statement with this text, once its rows are deleted. */
function changesOnlyRows(text: string): boolean {
  if (OF_MIGRATIONS.test(text)) return false;
  return text.split(";").every((one) => one.trim() === "" || OF_ROWS.test(one));
}

/**
 * Deletes all rows, releases the session's locks and resets its settings. False when that fails, as in a database that
 * has stopped.
 */
async function emptyDatabase(database: Database): Promise<boolean> {
  try {
    const deletions = await deletionStatements((text) => database.query(text, []));
    const ofSession = ["select pg_advisory_unlock_all()", "reset all"];
    await database.query(["rollback", ...deletions, ...ofSession].join(";"));
    return true;
  } catch {
    return false;
  }
}
