import { storedFormat } from "../journal/state-format.ts";
import type { Database, Queryable } from "../storage/database.ts";
import { DatabaseUnusable } from "../storage/database-error.ts";
import { BACKUP_FORMAT, type BackupHeader, createPacker } from "./backup-format.ts";
import {
  BACKUP_TABLES,
  type BackupTable,
  type Column,
  columnsOf,
  schemaOf,
} from "./backup-tables.ts";

/** The bytes of the file, in order. A reader that is slow keeps nobody waiting. */
export type BackupContent = AsyncIterable<Uint8Array>;

/** A page is a turn of the embedded database's only connection: orders wait for one at most. */
const PAGE = 2_000;

/**
 * Copies everything that is stored as it is at one moment, while the service works. What can change
 * is read in one transaction before this resolves and waits, compressed, in memory; what only ever
 * becomes more is read page by page as the content is taken.
 */
export async function takeBackup(need: {
  readonly database: Database;
  readonly nowMs: number;
}): Promise<BackupContent> {
  const { database, nowMs } = need;
  const packer = createPacker();
  const rows: Record<string, number> = {};
  const versions = new Map<string, number>();
  const packed: Promise<Uint8Array>[] = [];

  const columns = await database.transaction(async (transaction) => {
    await transaction.query("set transaction isolation level repeatable read, read only");
    const schema = await schemaOf(transaction);
    if (schema === 0)
      throw new DatabaseUnusable("There is nothing to back up: no service has used this database.");
    const found = await columnsOf(transaction);
    packed.push(
      packer.pack(
        JSON.stringify(
          await readHeader(transaction, { storage: database.kind, schema, takenAtMs: nowMs }),
        ),
      ),
    );
    for (const table of tablesIn(found, "together")) {
      packed.push(packer.pack(tableLine(table)));
      rows[table.name] = 0;
      for await (const lines of pagesOf(transaction, table)) {
        rows[table.name] = (rows[table.name] ?? 0) + lines.length;
        if (table.name === "accounts") keepVersions(versions, table, lines);
        packed.push(packer.pack(lines.join("\n")));
      }
    }
    return found;
  });

  const rest = async function* (): AsyncGenerator<Uint8Array> {
    yield* packed;
    const grown = [...tablesIn(columns, "upToVersion"), ...tablesIn(columns, "everything")];
    for (const table of grown) {
      yield packer.pack(tableLine(table));
      rows[table.name] = 0;
      for await (const page of pagesOf(database, table)) {
        const lines =
          table.read === "everything" ? page : page.filter((line) => isUpTo(versions, line));
        if (lines.length === 0) continue;
        rows[table.name] = (rows[table.name] ?? 0) + lines.length;
        yield packer.pack(lines.join("\n"));
      }
    }
    yield packer.end(rows);
  };
  return rest();
}

interface TableInPlace extends BackupTable {
  readonly columns: readonly Column[];
}

/** An older schema has fewer of them. */
function tablesIn(
  found: ReadonlyMap<string, readonly Column[]>,
  read: BackupTable["read"],
): readonly TableInPlace[] {
  return BACKUP_TABLES.filter((table) => table.read === read).flatMap((table) => {
    const columns = found.get(table.name);
    return columns === undefined ? [] : [{ ...table, columns }];
  });
}

function tableLine({ name, columns }: TableInPlace): string {
  return JSON.stringify({ table: name, columns: columns.map((column) => column.name) });
}

async function readHeader(
  transaction: Queryable,
  known: Pick<BackupHeader, "storage" | "schema" | "takenAtMs">,
): Promise<BackupHeader> {
  const rows = await transaction.query<{ accounts: string; events: string; keys: string }>(
    `select (select count(*) from accounts) as accounts,
       (select coalesce(sum(version), 0) from accounts) as events,
       (select count(*) from keys) as keys`,
    [],
  );
  return {
    backup: "propgate",
    format: BACKUP_FORMAT,
    stateFormat: await storedFormat(transaction),
    ...known,
    accounts: Number(rows[0]?.accounts),
    events: Number(rows[0]?.events),
    keys: Number(rows[0]?.keys),
  };
}

interface PageRow {
  readonly lines: string | null;
  readonly last: readonly string[] | null;
}

/** The rows as lines, in the order of the key. The database writes them: it is quicker at it. */
async function* pagesOf(
  database: Queryable,
  { name, key, columns }: TableInPlace,
): AsyncGenerator<readonly string[]> {
  const types = key.map((one) => columns.find((column) => column.name === one)?.type ?? "text");
  const given = types.map((type, index) => `$${index + 1}::text::${type}`).join(", ");
  const from = `from ${name}`;
  const text = (where: string): string => `
    with page as materialized (
      select * ${from} ${where} order by ${key.join(", ")} limit ${PAGE}
    )
    select string_agg(json_build_array(${columns.map((one) => `${one.name}::text`).join(", ")})::text,
        e'\\n' order by ${key.join(", ")}) as lines,
      (select array[${key.map((one) => `${one}::text`).join(", ")}] from page
       order by ${key.map((one) => `${one} desc`).join(", ")} limit 1) as last
    from page`;
  const first = text("");
  const next = text(`where (${key.join(", ")}) > (${given})`);
  let after: readonly string[] | null = null;
  for (;;) {
    const page: readonly PageRow[] = await database.query<PageRow>(
      after === null ? first : next,
      after ?? [],
    );
    const { lines = null, last = null } = page[0] ?? {};
    if (lines === null) return;
    const whole = lines.split("\n");
    yield whole;
    if (whole.length < PAGE) return;
    after = last;
  }
}

function keepVersions(
  versions: Map<string, number>,
  { columns }: TableInPlace,
  lines: readonly string[],
): void {
  const [id, version] = ["account_id", "version"].map((name) =>
    columns.findIndex((column) => column.name === name),
  );
  for (const line of lines) {
    const row = textsOf(line);
    versions.set(String(row[id ?? -1]), Number(row[version ?? -1]));
  }
}

/** Both tables that follow versions begin with the account and the line of its journal. */
function isUpTo(versions: ReadonlyMap<string, number>, line: string): boolean {
  const [account, seq] = textsOf(line);
  return Number(seq) <= (versions.get(String(account)) ?? 0);
}

/** A line that the database has just written. */
function textsOf(line: string): readonly (string | null)[] {
  return JSON.parse(line) as readonly (string | null)[];
}
