import type { MasterKeys } from "@propgate/base";
import type { Database, Queryable } from "../../storage/databases/database.ts";
import { DatabaseUnusable } from "../../storage/databases/database-error.ts";
import { NUMBER_SETTING } from "../../storage/shards/open-shards.ts";
import { createSettingStore } from "../../storage/stores/setting-store.ts";
import {
  type Column,
  countStoredRows,
  makeRepeatableRead,
  readSchemaNumber,
  readTableColumns,
  rowPages,
} from "../../storage/stores/table-rows.ts";
import { readStateFormat } from "../journal/state-format.ts";
import { BACKUP_FORMAT, type BackupHeader, createPacker } from "./backup-format.ts";
import { BACKUP_TABLES, type BackupTable, backupColumns } from "./backup-tables.ts";

/** The bytes of the file, in order. A slow consumer does not delay other work. */
export type BackupContent = AsyncIterable<Uint8Array>;

/**
 * The number of rows of a page. A page occupies the embedded database's only connection, so orders wait for one page at
 * most.
 */
const PAGE = 2_000;
/** The transaction may be idle for long while this process is busy, because it only reads and blocks no writer. */
const READ_LIMITS = { idleMs: 60_000 };

/**
 * Backs up the database as it is at one moment, while the service goes on working. Tables with changing rows are read
 * in one transaction before this resolves, and kept compressed in memory. The other tables are read page by page while
 * the content is consumed.
 */
export async function takeBackup(options: {
  readonly database: Database;
  readonly nowMs: number;
  /** The keys that later prove the backup. With null the backup has no tag. */
  readonly masterKeys: MasterKeys | null;
}): Promise<BackupContent> {
  const { database, nowMs, masterKeys } = options;
  const masterKey = masterKeys?.current.version ?? null;
  const packer = createPacker(masterKeys);
  const rows: Record<string, number> = {};
  const versions = new Map<string, number>();
  const packed: Promise<Uint8Array>[] = [];

  const columns = await database.transaction(async (transaction) => {
    await makeRepeatableRead(transaction);
    const schema = await readSchemaNumber(transaction);
    if (schema === 0)
      throw new DatabaseUnusable(
        "There is nothing to back up: no service has used this database yet.",
      );
    const found = await readTableColumns(transaction);
    packed.push(
      packer.pack([
        JSON.stringify(
          await readHeader(transaction, {
            storage: database.kind,
            schema,
            takenAtMs: nowMs,
            masterKey,
          }),
        ),
      ]),
    );
    for (const table of tablesOfKind(found, "together")) {
      packed.push(packer.pack([tableLine(table)]));
      rows[table.name] = 0;
      for await (const lines of rowPages(transaction, table, PAGE)) {
        rows[table.name] = (rows[table.name] ?? 0) + lines.length;
        if (table.name === "accounts") rememberVersions(versions, table, lines);
        packed.push(packer.pack(lines));
      }
    }
    return found;
  }, READ_LIMITS);

  const rest = async function* (): AsyncGenerator<Uint8Array> {
    yield* packed;
    const grown = [...tablesOfKind(columns, "upToVersion"), ...tablesOfKind(columns, "everything")];
    for (const table of grown) {
      yield packer.pack([tableLine(table)]);
      rows[table.name] = 0;
      for await (const page of rowPages(database, table, PAGE)) {
        const lines =
          table.read === "everything" ? page : page.filter((line) => isUpToVersion(versions, line));
        if (lines.length === 0) continue;
        rows[table.name] = (rows[table.name] ?? 0) + lines.length;
        yield packer.pack(lines);
      }
    }
    yield packer.end(rows);
  };
  return rest();
}

interface TableInPlace extends BackupTable {
  readonly columns: readonly Column[];
}

/** The tables of this kind that the database has. An older schema has fewer tables. */
function tablesOfKind(
  found: ReadonlyMap<string, readonly Column[]>,
  read: BackupTable["read"],
): readonly TableInPlace[] {
  return BACKUP_TABLES.filter((table) => table.read === read).flatMap((table) => {
    const columns = found.get(table.name);
    return columns === undefined ? [] : [{ ...table, columns: backupColumns(table, columns) }];
  });
}

function tableLine({ name, columns }: TableInPlace): string {
  return JSON.stringify({ table: name, columns: columns.map((column) => column.name) });
}

async function readHeader(
  transaction: Queryable,
  known: Pick<BackupHeader, "storage" | "schema" | "takenAtMs" | "masterKey">,
): Promise<BackupHeader> {
  return {
    backup: "propgate",
    format: BACKUP_FORMAT,
    stateFormat: await readStateFormat(transaction),
    database: Number((await createSettingStore(transaction).get(NUMBER_SETTING)) ?? 0),
    ...known,
    ...(await countStoredRows(transaction)),
  };
}

function rememberVersions(
  versions: Map<string, number>,
  { columns }: TableInPlace,
  lines: readonly string[],
): void {
  const [id, version] = ["account_id", "version"].map((name) =>
    columns.findIndex((column) => column.name === name),
  );
  for (const line of lines) {
    const row = parseLineTexts(line);
    versions.set(String(row[id ?? -1]), Number(row[version ?? -1]));
  }
}

/**
 * True for a row whose journal line the account had at the moment of the backup. Every table that is read `upToVersion`
 * begins with the columns of the account and of the line's number.
 */
function isUpToVersion(versions: ReadonlyMap<string, number>, line: string): boolean {
  const [account, seq] = parseLineTexts(line);
  return Number(seq) <= (versions.get(String(account)) ?? 0);
}

/** The columns of one row as texts. The database itself made this JSON array, so it is not checked. */
function parseLineTexts(line: string): readonly (string | null)[] {
  return JSON.parse(line) as readonly (string | null)[];
}
