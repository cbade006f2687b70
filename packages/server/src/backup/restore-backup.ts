import type { Instruments } from "@propgate/core";
import { journalDesk } from "../journal/journal-desk.ts";
import type { Rebuild } from "../journal/rebuild-journal.ts";
import { type UpgradeLog, upgradeStates } from "../journal/state-format.ts";
import type { JournalProof } from "../journal/verify-journal.ts";
import type { Database, Queryable } from "../storage/database.ts";
import { MIGRATIONS, migrate } from "../storage/migrate.ts";
import { backupLines, type CheckedBackup } from "./backup-file.ts";
import type { BackupHeader, BackupRow, BackupTableLine } from "./backup-format.ts";
import { BackupRefused } from "./backup-refused.ts";
import { BACKUP_TABLES, type Column, columnsOf, schemaOf } from "./backup-tables.ts";

/** What was restored, and what its journals say of it. */
export interface Restored {
  readonly header: BackupHeader;
  readonly rows: CheckedBackup["rows"];
  readonly proof: JournalProof;
  readonly rebuild: Rebuild;
}

const ROWS_OF_A_STATEMENT = 1_000;

/**
 * Puts a backup, which `checkBackup` has read, into an empty database, in one transaction. A backup
 * of an older release is brought up to date afterwards, as its data would be. Then every chain is
 * recomputed and everything is compared with what the journals make.
 * @throws BackupRefused when the database is not empty; it is left as it is
 */
export async function restoreBackup(need: {
  readonly path: string;
  readonly checked: CheckedBackup;
  /** As it was opened, not migrated. */
  readonly database: Database;
  readonly instruments: Instruments;
  readonly log: UpgradeLog;
}): Promise<Restored> {
  const { path, checked, database, instruments } = need;
  const { header } = checked;
  await checkPlace(database, header);
  await migrate(
    database,
    MIGRATIONS.filter(({ number }) => number <= header.schema),
  );
  await database.transaction(async (transaction) => {
    // Somebody may have come in between.
    await checkEmpty(transaction);
    await load(transaction, path);
  });
  await migrate(database);
  await upgradeStates(need);
  const journal = journalDesk(database, instruments);
  return {
    header,
    rows: checked.rows,
    proof: await journal.verify("all"),
    rebuild: await journal.rebuild("all", false),
  };
}

async function checkPlace(database: Database, header: BackupHeader): Promise<void> {
  const tables = await columnsOf(database);
  if (tables.size === 0) return;
  const schema = await schemaOf(database);
  if (schema === 0) {
    throw notEmpty(`has tables that were not made here, such as ${[...tables.keys()][0] ?? ""}`);
  }
  await checkEmpty(database);
  if (schema !== header.schema) {
    throw notEmpty(`has the tables of schema ${schema}, and the backup is of ${header.schema}`);
  }
}

async function checkEmpty(database: Queryable): Promise<void> {
  const there = await columnsOf(database);
  for (const { name } of BACKUP_TABLES) {
    if (!there.has(name)) continue;
    const rows = await database.query(`select 1 from ${name} limit 1`, []);
    if (rows.length > 0) throw notEmpty(`is not empty: its table ${name} has rows`);
  }
}

function notEmpty(why: string): BackupRefused {
  return new BackupRefused(
    `The database to restore into ${why}.`,
    "Restore into a new database or another data folder. Nothing was written.",
  );
}

async function load(transaction: Queryable, path: string): Promise<void> {
  const known = await columnsOf(transaction);
  let insert: Insert | null = null;
  let rows: BackupRow[] = [];
  const write = async (): Promise<void> => {
    if (rows.length > 0) await insert?.(rows);
    rows = [];
  };
  for await (const line of backupLines(path)) {
    if (line.kind === "row") {
      rows.push(line.row);
      if (rows.length === ROWS_OF_A_STATEMENT) await write();
    } else {
      await write();
      if (line.kind === "table") insert = insertInto(transaction, path, { ...line, known });
    }
  }
}

type Insert = (rows: readonly BackupRow[]) => Promise<unknown>;

/** Names go into the statement only when the schema has exactly these, so nothing else can. */
function insertInto(
  transaction: Queryable,
  path: string,
  given: {
    readonly table: BackupTableLine;
    readonly known: ReadonlyMap<string, readonly Column[]>;
  },
): Insert {
  const { table, columns } = given.table;
  const own = BACKUP_TABLES.some(({ name }) => name === table) ? given.known.get(table) : undefined;
  const types = columns.map((name) => own?.find((column) => column.name === name)?.type);
  if (own?.length !== columns.length || types.includes(undefined)) {
    throw new BackupRefused(
      `${path}: its table ${table} is not as this schema has it.`,
      "Restore it with the release that made it.",
    );
  }
  const lists = columns.map((_, index) => `$${index + 1}::text[]`);
  const values = columns.map((name, index) => `given.${name}::${types[index] ?? ""}`);
  const text = `insert into ${table} (${columns.join(", ")})
    select ${values.join(", ")} from unnest(${lists.join(", ")}) as given (${columns.join(", ")})`;
  return (rows) =>
    transaction.query(
      text,
      columns.map((_, index) => rows.map((row) => row[index] ?? null)),
    );
}
