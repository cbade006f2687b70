import type { Chance } from "@propgate/base";
import { type Instruments, type UnixMs, unixMs } from "@propgate/core";
import type { Database, Queryable } from "../../storage/databases/database.ts";
import { MIGRATIONS, migrate } from "../../storage/migrations/migrate.ts";
import type { AuditProof } from "../../storage/rows/audit-chain.ts";
import { createAuditStore, type NewAuditLine } from "../../storage/stores/audit-store.ts";
import { createRestoreStore } from "../../storage/stores/restore-store.ts";
import {
  type Column,
  hasRows,
  insertRows,
  readSchemaNumber,
  readTableColumns,
} from "../../storage/stores/table-rows.ts";
import { createJournalDesk } from "../journal/journal-desk.ts";
import { readInstrumentsOfLastStart } from "../journal/last-catalogue.ts";
import type { RebuildResult } from "../journal/rebuild-journal.ts";
import { type UpgradeLog, upgradeStates } from "../journal/state-format.ts";
import type { JournalProof } from "../journal/verify-journal.ts";
import { type CheckedBackup, readBackupLines } from "./backup-file.ts";
import type { BackupHeader, BackupRow, BackupTableLine, BackupTrailer } from "./backup-format.ts";
import { BackupRefused } from "./backup-refused.ts";
import { BACKUP_TABLES, backupColumns } from "./backup-tables.ts";
import { countHeldData, type HeldData } from "./held-data.ts";

/** The result of a restore, with the checks of the journals and the audit. */
export interface RestoreResult {
  readonly header: BackupHeader;
  readonly rows: CheckedBackup["rows"];
  readonly checked: CheckedBackup;
  readonly proof: JournalProof;
  readonly rebuild: RebuildResult;
  /** The result of checking the audit's chain. */
  readonly audit: AuditProof;
  readonly held: HeldData;
}

const ROWS_PER_STATEMENT = 1_000;
/** The maximum length of the rows in one statement. Rows with states are long, so a statement has fewer of them. */
const CHARACTERS_PER_STATEMENT = 8 * 1024 * 1024;
/**
 * The transaction may be idle for long, because no service waits for it and reading the file from a slow disk takes
 * time.
 */
const RESTORE_LIMITS = { idleMs: 60_000 };

/**
 * Restores a backup that `checkBackup` has accepted into an empty database, in one transaction. After that it migrates
 * the database to this schema, recomputes every chain, and compares all states with their journals. The database then
 * has a new audit line, and a new incarnation that may only be read until an operator confirms it.
 * @throws BackupRefused when the database is not empty, or has another number; it is not changed
 */
export async function restoreBackup(options: {
  readonly path: string;
  readonly checked: CheckedBackup;
  /** The database as it was opened, not migrated. */
  readonly database: Database;
  readonly instruments: Instruments;
  /**
   * The number of `database` among the databases of its service. The file must be of the same number. When absent, any
   * number is accepted.
   */
  readonly number?: number | undefined;
  readonly now: UnixMs;
  readonly chance: Chance;
  readonly log: UpgradeLog;
}): Promise<RestoreResult> {
  const { path, checked, database, instruments, number, now } = options;
  const { header } = checked;
  if (number !== undefined && number !== header.database) {
    throw new BackupRefused(
      `${path} is the backup of database ${header.database}, not of database ${number}.`,
      "Restore each file into the database of its number. Nothing was written.",
    );
  }
  await checkTarget(database, header);
  await migrate(
    database,
    MIGRATIONS.filter(({ number }) => number <= header.schema),
  );
  await database.transaction(async (transaction) => {
    // Another process may have written since `checkTarget`.
    await checkEmpty(transaction);
    await loadBackup(transaction, path, checked);
    // The records of the restore are in the same transaction. Without them, a service would not notice that the data
    // were restored, and a payout that was paid after the backup could be paid again.
    const store = createRestoreStore(transaction);
    const restore = { asOfMs: unixMs(header.takenAtMs), restoredAtMs: now };
    await store.begin(options.chance.uuid(), restore);
    await store.markPayouts();
    // The restored audit is continued with a line about the restore. @rule D13.restoreAudited decides
    await createAuditStore(transaction).append(auditLine(checked, now));
  }, RESTORE_LIMITS);
  await migrate(database);
  // Due times are computed with the catalogue that the service had at its last start before the backup.
  const had = (await readInstrumentsOfLastStart(database)) ?? instruments;
  await upgradeStates({ databases: [database], instruments: had, log: options.log });
  const journal = createJournalDesk(database, had);
  return {
    header,
    rows: checked.rows,
    checked,
    proof: await journal.verify("all"),
    rebuild: await journal.rebuild("all", false),
    audit: await createAuditStore(database).prove(null),
    held: await countHeldData(database, now),
  };
}

/** The line of the audit about the restore. @rule D13.restoreAudited */
function auditLine({ header, sha256 }: CheckedBackup, atMs: UnixMs): NewAuditLine {
  return {
    atMs,
    personId: null,
    by: "restore",
    role: "none",
    address: "command line",
    deed: "restore",
    subject: null,
    accountId: null,
    detail: `as of ${new Date(header.takenAtMs).toISOString()}, ${header.events} lines of journal, file ${sha256}`,
    succeeded: true,
  };
}

async function checkTarget(database: Database, header: BackupHeader): Promise<void> {
  const tables = await readTableColumns(database);
  if (tables.size === 0) return;
  const schema = await readSchemaNumber(database);
  if (schema === 0) {
    throw notEmptyError(`has tables of another program, such as ${[...tables.keys()][0] ?? ""}`);
  }
  await checkEmpty(database);
  if (schema !== header.schema) {
    throw notEmptyError(
      `has the tables of schema ${schema}, and the backup is of ${header.schema}`,
    );
  }
}

async function checkEmpty(database: Queryable): Promise<void> {
  const there = await readTableColumns(database);
  for (const { name } of BACKUP_TABLES) {
    if (!there.has(name)) continue;
    if (await hasRows(database, name))
      throw notEmptyError(`is not empty: its table ${name} has rows`);
  }
}

function notEmptyError(why: string): BackupRefused {
  return new BackupRefused(
    `The database to restore into ${why}.`,
    "Restore into a new database or another data folder. Nothing was written.",
  );
}

async function loadBackup(
  transaction: Queryable,
  path: string,
  checked: CheckedBackup,
): Promise<void> {
  const known = await readTableColumns(transaction);
  let table: TableWriter | null = null;
  for await (const line of readBackupLines(path)) {
    if (line.kind === "row") {
      await table?.add(line.row);
      continue;
    }
    await table?.flush();
    if (line.kind === "table") {
      table = createTableWriter(createTableInsert(transaction, path, { ...line, known }));
    } else if (line.kind === "trailer" && !isSame(line.trailer, checked)) {
      throw new BackupRefused(`${path} was replaced while it was read.`, "Restore it again.");
    }
  }
}

function isSame(trailer: BackupTrailer, { sha256, tag }: CheckedBackup): boolean {
  return trailer.sha256 === sha256 && trailer.tag === tag;
}

/** Inserts rows of one table, many with one statement. */
interface TableWriter {
  add(row: BackupRow): Promise<void>;
  flush(): Promise<void>;
}

function createTableWriter(insert: Insert): TableWriter {
  let rows: BackupRow[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    if (rows.length > 0) await insert(rows);
    rows = [];
    characters = 0;
  };
  return {
    flush,
    async add(row) {
      rows.push(row);
      for (const text of row) characters += text?.length ?? 0;
      const isFull = characters >= CHARACTERS_PER_STATEMENT;
      if (rows.length === ROWS_PER_STATEMENT || isFull) await flush();
    },
  };
}

type Insert = (rows: readonly BackupRow[]) => Promise<unknown>;

/**
 * Makes the insert of one table's rows. Table and column names become part of the statement, so they must be exactly
 * the schema's.
 */
function createTableInsert(
  transaction: Queryable,
  path: string,
  given: {
    readonly table: BackupTableLine;
    readonly known: ReadonlyMap<string, readonly Column[]>;
  },
): Insert {
  const { table, columns } = given.table;
  const listed = BACKUP_TABLES.find(({ name }) => name === table);
  const inPlace = listed === undefined ? undefined : given.known.get(table);
  const own =
    listed === undefined || inPlace === undefined ? undefined : backupColumns(listed, inPlace);
  const described = columns.flatMap((name) => own?.filter((column) => column.name === name) ?? []);
  if (own?.length !== columns.length || described.length !== columns.length) {
    throw new BackupRefused(
      `${path}: its table ${table} does not have the columns of this schema.`,
      "Restore it with the release that made it.",
    );
  }
  return (rows) => insertRows(transaction, { table, columns: described }, rows);
}
