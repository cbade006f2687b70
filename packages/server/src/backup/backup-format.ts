/**
 * The file: gzip of lines of JSON, one after the other
 *
 *     {"backup":"propgate","format":1,"schema":3,"stateFormat":2,"takenAtMs":…,"storage":"pglite","accounts":2,"events":9,"keys":2}
 *     {"table":"accounts","columns":["account_id",…]}
 *     ["0d5c…","owner-1",…]
 *     …
 *     {"rows":{"accounts":2,…},"sha256":"…"}
 *
 * A row is the text of its columns as PostgreSQL writes them, null for null, so a backup of either
 * database goes into either. The hash covers every byte before the last line. The gzip is of many
 * members, as `cat` of gzipped files would be; `gunzip` reads it.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { z } from "zod";

export const BACKUP_FORMAT = 1;

const count = z.int().min(0);

const HEADER = z.object({
  backup: z.literal("propgate"),
  format: count,
  schema: count,
  stateFormat: count,
  takenAtMs: count,
  storage: z.enum(["pglite", "postgres"]),
  accounts: count,
  events: count,
  keys: count,
});
const TABLE = z.strictObject({ table: z.string(), columns: z.array(z.string()) });
const ROW = z.array(z.string().nullable());
const TRAILER = z.strictObject({ rows: z.record(z.string(), count), sha256: z.string() });

export type BackupHeader = z.infer<typeof HEADER>;
export type BackupRow = z.infer<typeof ROW>;
export type BackupTrailer = z.infer<typeof TRAILER>;
export type BackupTableLine = z.infer<typeof TABLE>;

export type BackupLine =
  | { readonly kind: "header"; readonly header: BackupHeader }
  | { readonly kind: "table"; readonly table: BackupTableLine }
  | { readonly kind: "row"; readonly row: BackupRow }
  | { readonly kind: "trailer"; readonly trailer: BackupTrailer };

/** Null: no line of a backup. */
export function parseLine(text: string): BackupLine | null {
  const value = parseJson(text);
  const row = ROW.safeParse(value);
  if (row.success) return { kind: "row", row: row.data };
  const table = TABLE.safeParse(value);
  if (table.success) return { kind: "table", table: table.data };
  const trailer = TRAILER.safeParse(value);
  if (trailer.success) return { kind: "trailer", trailer: trailer.data };
  const header = HEADER.safeParse(value);
  return header.success ? { kind: "header", header: header.data } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Turns lines into the bytes of the file, in order, and keeps their hash. */
export interface BackupPacker {
  /** `lines` without the line feed behind the last of them. */
  pack(lines: string): Promise<Uint8Array>;
  /** The last line, of the rows that were packed before. */
  end(rows: BackupTrailer["rows"]): Promise<Uint8Array>;
}

const gzipped = promisify(gzip);

export function createPacker(): BackupPacker {
  const sha256 = createHash("sha256");
  return {
    pack(lines) {
      const bytes = Buffer.from(`${lines}\n`);
      sha256.update(bytes);
      return gzipped(bytes);
    },
    end: (rows) => gzipped(`${JSON.stringify({ rows, sha256: sha256.digest("hex") })}\n`),
  };
}
