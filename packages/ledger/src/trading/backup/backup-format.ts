/**
 * The file is gzipped lines of JSON:
 *
 *     {"backup":"propgate","format":2,"schema":3,"stateFormat":2,"takenAtMs":…,"storage":"pglite","database":0,"masterKey":1,"accounts":2,"events":9,"keys":2}
 *     {"table":"accounts","columns":["account_id",…]}
 *     ["0d5c…","owner-1",…]
 *     …
 *     {"rows":{"accounts":2,…},"sha256":"…","tag":"…"}
 *
 * Its first line is the header, and its last line the trailer. Between them each table's line comes before the table's
 * rows. A row has its columns in PostgreSQL's text form, null for null, so a backup of either kind of database can be
 * restored into either. The hash covers every byte before the trailer. The tag is an HMAC of the hash under the master
 * key whose version the header names, so a backup cannot be altered without that key. Version and tag are null when the
 * master key was not known. Format 1 has neither. The gzip file has many members, like several gzipped files after
 * `cat`; `gunzip` reads it.
 */

import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { LINE_BYTES_MAX, type MasterKeys } from "@propgate/base";
import { z } from "zod";
import { backupTag } from "./backup-tag.ts";

/** The format that this release writes. The release also reads the earlier formats. */
export const BACKUP_FORMAT = 2;

const count = z.int().min(0);

const HEADER = z.object({
  backup: z.literal("propgate"),
  format: count,
  schema: count,
  stateFormat: count,
  takenAtMs: count,
  storage: z.enum(["pglite", "postgres"]),
  /** The number of the database among the databases of its service; 0 also when there is only one database. */
  database: count.default(0),
  /** The version of the master key under which the tag was made; null when there is no tag. */
  masterKey: z.int().min(1).max(255).nullable().default(null),
  accounts: count,
  events: count,
  keys: count,
});
const TABLE = z.strictObject({ table: z.string(), columns: z.array(z.string()) });
const ROW = z.array(z.string().nullable());
const TRAILER = z.strictObject({
  rows: z.record(z.string(), count),
  sha256: z.string(),
  tag: z.string().nullable().default(null),
});

/** The first line of a backup, which describes it. */
export type BackupHeader = z.infer<typeof HEADER>;
/** A row of a table: its columns as text. */
export type BackupRow = z.infer<typeof ROW>;
/**
 * The last line of a backup: the number of rows of each table, and the hash and the tag that prove all earlier lines.
 */
export type BackupTrailer = z.infer<typeof TRAILER>;
/** The line before the rows of a table: its name and its columns. */
export type BackupTableLine = z.infer<typeof TABLE>;

/** A line of a backup, by its kind. */
export type BackupLine =
  | { readonly kind: "header"; readonly header: BackupHeader }
  | { readonly kind: "table"; readonly table: BackupTableLine }
  | { readonly kind: "row"; readonly row: BackupRow }
  | { readonly kind: "trailer"; readonly trailer: BackupTrailer };

/** The parsed line; null when the text is not a line of a backup. */
export function parseBackupLine(text: string): BackupLine | null {
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

/** Turns lines into the bytes of the file, in order, and computes their hash. */
export interface BackupPacker {
  /** Packs one or more lines, given without line feeds. Throws for a line that is too long to be restored. */
  pack(lines: readonly string[]): Promise<Uint8Array>;
  /** Packs the trailer, with the counts of the packed rows. */
  end(rows: BackupTrailer["rows"]): Promise<Uint8Array>;
}

const gzipAsync = promisify(gzip);

/** Makes a packer. The tag is made under the newest master key; there is no tag when `masterKeys` is null. */
export function createPacker(masterKeys: MasterKeys | null): BackupPacker {
  const sha256 = createHash("sha256");
  return {
    pack(lines) {
      if (lines.some((line) => Buffer.byteLength(line) > LINE_BYTES_MAX)) {
        throw new Error(`a row has more than ${LINE_BYTES_MAX} bytes, so no restore would read it`);
      }
      const bytes = Buffer.from(`${lines.join("\n")}\n`);
      sha256.update(bytes);
      return gzipAsync(bytes);
    },
    end(rows) {
      const hash = sha256.digest("hex");
      const tag = masterKeys === null ? null : backupTag(masterKeys.current.key, hash);
      return gzipAsync(`${JSON.stringify({ rows, sha256: hash, tag })}\n`);
    },
  };
}
