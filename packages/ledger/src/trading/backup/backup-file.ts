import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { LineTooLong, type MasterKeys, textLines } from "@propgate/base";
import { MIGRATIONS } from "../../storage/migrations/migrate.ts";
import { STATE_FORMAT } from "../journal/state-format.ts";
import {
  BACKUP_FORMAT,
  type BackupHeader,
  type BackupLine,
  type BackupTrailer,
  parseBackupLine,
} from "./backup-format.ts";
import { BackupRefused } from "./backup-refused.ts";
import { type TagProof, verifyBackupTag } from "./backup-tag.ts";

const OPERATORS_LISTED_MAX = 100;
const TAKE_ANOTHER = "Take another backup, or use an older one.";

/** The facts about a backup that `checkBackup` has accepted. */
export interface CheckedBackup {
  readonly header: BackupHeader;
  readonly rows: BackupTrailer["rows"];
  readonly sha256: string;
  readonly tag: BackupTrailer["tag"];
  /** How far the master keys prove that the backup was not altered. */
  readonly proof: Exclude<TagProof, "wrong">;
  /** Names of the first 100 people in the backup with the role operator, disabled ones left out. */
  readonly operators: readonly string[];
}

/** The master keys with which a backup is checked, and whether it may be unproved. */
export interface BackupCheck {
  readonly masterKeys: MasterKeys | null;
  /** True to accept also a backup that has no tag, or whose tag was made under a master key not in `masterKeys`. */
  readonly mayBeUnproved: boolean;
}

/**
 * Reads the file to its end. Compares it with its hash and counts, and its tag with the master keys.
 * @throws BackupRefused when it is incomplete, altered, not authentic, of a newer release, not a backup, or not proved
 * while `mayBeUnproved` is false
 * @rule D10.backupProved decides
 */
export async function checkBackup(
  path: string,
  { masterKeys, mayBeUnproved }: BackupCheck,
): Promise<CheckedBackup> {
  let header: BackupHeader | null = null;
  const operators = createOperatorList();
  for await (const line of readBackupLines(path)) {
    if (line.kind === "header") header = requireKnownRelease(path, line.header);
    operators.take(line);
    if (line.kind === "trailer" && header !== null) {
      const { rows, sha256, tag } = line.trailer;
      const proof = verifyBackupTag({ masterKey: header.masterKey, sha256, tag }, masterKeys);
      if (proof === "wrong") throw unauthenticError(path, header);
      const checked = { header, rows, sha256, tag, proof, operators: operators.names };
      if (proof !== "proved" && !mayBeUnproved) throw unprovedError(path, checked);
      return checked;
    }
  }
  throw truncatedError(path);
}

/**
 * Collects from the lines of a backup, in their order, the names of the first 100 people with the role operator who are
 * not disabled.
 */
function createOperatorList() {
  const names: string[] = [];
  let columns: readonly string[] = [];
  return {
    names,
    take(line: BackupLine): void {
      if (line.kind === "table") columns = line.table.table === "people" ? line.table.columns : [];
      if (line.kind !== "row" || columns.length === 0) return;
      const at = (column: string): string | null => line.row[columns.indexOf(column)] ?? null;
      const isOperator = at("role") === "operator" && at("disabled_at_ms") === null;
      if (isOperator && names.length < OPERATORS_LISTED_MAX) names.push(at("name") ?? "");
    },
  };
}

/**
 * The refusal gives the reason, and the people who could sign in as operators after a restore. @rule D10.backupProved
 */
function unprovedError(path: string, { header, proof, operators }: CheckedBackup): BackupRefused {
  const why =
    proof === "noTag"
      ? "it has no tag, so it was taken without the master key"
      : `version ${header.masterKey} of the master key, under which it was taken, is not given`;
  const people =
    operators.length === 0 ? "no person" : operators.map((one) => JSON.stringify(one)).join(", ");
  return new BackupRefused(
    `${path} is not proved: ${why}. Anyone with access to the file may have altered it. Its people with the role operator: ${people}.`,
    proof === "noTag"
      ? "If you trust the file and know every person with the role operator, add --unproved. Nothing was written."
      : "Give the key with PROPGATE_MASTER_KEY or --master-key-file. If it is lost and you trust the file, add --unproved. Nothing was written.",
  );
}

function unauthenticError(path: string, { masterKey }: BackupHeader): BackupRefused {
  return new BackupRefused(
    `${path} is not authentic: its tag does not match version ${masterKey} of the master key. It was altered, or that is another master key.`,
    "Give the master key that the service had when the backup was taken, or use another backup.",
  );
}

/**
 * Yields the lines in order, the trailer last. The lines are proved only when the trailer has been yielded, so a caller
 * that stores them must be able to roll back.
 * @throws BackupRefused when the file cannot be read, or is incomplete, altered or not a backup
 */
export async function* readBackupLines(path: string): AsyncGenerator<BackupLine> {
  const tally = createTally();
  let last: BackupLine | null = null;
  for await (const text of readTextLines(path)) {
    const line = parseBackupLine(text);
    if (last === null && line?.kind !== "header") throw notABackupError(path);
    if (line === null || last?.kind === "trailer" || !tally.agrees(text, line))
      throw alteredError(path);
    last = line;
    if (line.kind !== "trailer") yield line;
  }
  // The trailer is yielded only when the compressed file has also ended.
  if (last?.kind !== "trailer") throw truncatedError(path);
  yield last;
}

/**
 * Counts and hashes the lines. `agrees` is false when the trailer has another result, and for a row before any table.
 */
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

function requireKnownRelease(path: string, header: BackupHeader): BackupHeader {
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

/** The decompressed lines of the file. */
async function* readTextLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const text = createGunzip();
  // A pipe does not forward errors.
  file.on("error", (error) => text.destroy(error));
  text.on("close", () => file.destroy());
  try {
    yield* textLines(file.pipe(text));
  } catch (cause) {
    if (cause instanceof LineTooLong) throw notABackupError(path);
    throw unreadableError(path, cause);
  }
}

function unreadableError(path: string, cause: unknown): BackupRefused {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "Z_BUF_ERROR") return truncatedError(path);
  if (code === "Z_DATA_ERROR") {
    const isCompressed = cause instanceof Error && !cause.message.includes("header");
    return isCompressed ? alteredError(path) : notABackupError(path);
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BackupRefused(`${path} cannot be read: ${reason}.`, "Name the backup's file.");
}

function truncatedError(path: string): BackupRefused {
  return new BackupRefused(`${path} is torn: its end is missing.`, TAKE_ANOTHER);
}

function alteredError(path: string): BackupRefused {
  return new BackupRefused(`${path} is not as it was written: it was altered.`, TAKE_ANOTHER);
}

function notABackupError(path: string): BackupRefused {
  return new BackupRefused(`${path} is not a backup of this service.`, "Name the backup's file.");
}
