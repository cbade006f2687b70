import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";
import { STATE_FORMAT } from "../journal/state-format.ts";
import { MIGRATIONS } from "../storage/migrate.ts";
import {
  BACKUP_FORMAT,
  type BackupHeader,
  type BackupLine,
  type BackupTrailer,
  parseLine,
} from "./backup-format.ts";
import { BackupRefused } from "./backup-refused.ts";

const TAKE_ANOTHER = "Take another backup, or use an older one.";

/** What a backup that is whole says of itself. */
export interface CheckedBackup {
  readonly header: BackupHeader;
  readonly rows: BackupTrailer["rows"];
  readonly sha256: string;
}

/**
 * Reads the file to its end and holds it against its own hash and counts.
 * @throws BackupRefused when it is torn, altered, no backup, or of a newer release
 */
export async function checkBackup(path: string): Promise<CheckedBackup> {
  let header: BackupHeader | null = null;
  for await (const line of backupLines(path)) {
    if (line.kind === "header") header = ofThisRelease(path, line.header);
    if (line.kind === "trailer" && header !== null) return { header, ...line.trailer };
  }
  throw torn(path);
}

/**
 * The lines in order, the trailer last. What was given before the trailer is proved only when the
 * trailer has come: whoever writes it somewhere has to be able to take it back.
 * @throws BackupRefused
 */
export async function* backupLines(path: string): AsyncGenerator<BackupLine> {
  const tally = createTally();
  let last: BackupLine | null = null;
  for await (const text of textLines(path)) {
    const line = parseLine(text);
    if (last === null && line?.kind !== "header") throw noBackup(path);
    if (line === null || last?.kind === "trailer" || !tally.agrees(text, line)) throw altered(path);
    last = line;
    if (line.kind !== "trailer") yield line;
  }
  // Only now the compressed file has come to its own end as well.
  if (last?.kind !== "trailer") throw torn(path);
  yield last;
}

/** Counts and hashes what has been read; false when that is not what the trailer says. */
function createTally() {
  const sha256 = createHash("sha256");
  const rows: Record<string, number> = {};
  let table: string | null = null;
  return {
    agrees(text: string, line: BackupLine): boolean {
      if (line.kind === "trailer") {
        const { trailer } = line;
        const isSame = JSON.stringify(trailer.rows) === JSON.stringify(rows);
        return isSame && trailer.sha256 === sha256.digest("hex");
      }
      sha256.update(`${text}\n`);
      if (line.kind === "table") {
        table = line.table.table;
        rows[table] = 0;
      } else if (line.kind === "row") {
        if (table === null) return false;
        rows[table] = (rows[table] ?? 0) + 1;
      }
      return true;
    },
  };
}

function ofThisRelease(path: string, header: BackupHeader): BackupHeader {
  const newer = [
    ["backup format", header.format, BACKUP_FORMAT],
    ["schema", header.schema, MIGRATIONS.at(-1)?.number ?? 0],
    ["account format", header.stateFormat, STATE_FORMAT],
  ] as const;
  for (const [what, its, ours] of newer) {
    if (its <= ours) continue;
    throw new BackupRefused(
      `${path} has ${what} ${its}, this program knows ${ours}: it is of a newer release.`,
      "Restore it with that release.",
    );
  }
  return header;
}

/** Decompressed, without their ends; a last line without its end is none. */
async function* textLines(path: string): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  const file = createReadStream(path);
  const text = createGunzip();
  // A pipe does not carry errors over.
  file.on("error", (error) => text.destroy(error));
  text.on("close", () => file.destroy());
  let rest = "";
  try {
    for await (const chunk of file.pipe(text)) {
      const lines = (rest + decoder.write(chunk as Buffer)).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): BackupRefused {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "Z_BUF_ERROR") return torn(path);
  if (code === "Z_DATA_ERROR") {
    const isCompressed = cause instanceof Error && !cause.message.includes("header");
    return isCompressed ? altered(path) : noBackup(path);
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BackupRefused(`${path} cannot be read: ${reason}.`, "Name the backup's file.");
}

function torn(path: string): BackupRefused {
  return new BackupRefused(`${path} is torn: its end is missing.`, TAKE_ANOTHER);
}

function altered(path: string): BackupRefused {
  return new BackupRefused(`${path} is not as it was written: it was altered.`, TAKE_ANOTHER);
}

function noBackup(path: string): BackupRefused {
  return new BackupRefused(`${path} is no backup of this service.`, "Name the backup's file.");
}
