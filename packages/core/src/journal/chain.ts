import { type AccountId, accountId } from "../ids.ts";
import type { Sha256 } from "./sha256.ts";

/** A line of the journal exactly as it is stored; its hash covers all of these fields. */
export interface JournalRow {
  readonly accountId: AccountId;
  readonly seq: number;
  readonly atMs: number;
  readonly origin: string;
  readonly keyId: string | null;
  readonly nonce: string | null;
  /** The type of the command that caused the event. */
  readonly command: string;
  /** The event as JSON, byte for byte as stored. */
  readonly event: string;
  /**
   * The inputs of the decision, as `encodeInputs` writes them. Only the first line of a decision has them; null on its
   * other lines.
   */
  readonly inputs: string | null;
}

/** A line with its hash, which covers the line and all lines before it. */
export interface ChainedLine extends JournalRow {
  readonly hash: Uint8Array;
}

/** The columns of an account's row that have to match its journal. */
export interface JournalHead {
  readonly accountId: AccountId;
  /** The number of lines of the journal. */
  readonly version: number;
  /** The hash of the last line. */
  readonly headHash: Uint8Array;
}

/** The first wrong line of a journal, and what is wrong with it. */
export interface ChainProblem {
  readonly seq: number;
  /** A clause without a full stop, such as `the line is missing`. */
  readonly why: string;
}

/** The hash that the first line of every journal uses as the hash of a previous line. */
export const CHAIN_START: Uint8Array = new Uint8Array(32);

/** The line after which a check begins: 0 and `CHAIN_START` when it begins with the first line. */
export interface ChainPosition {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

const BEFORE_FIRST_LINE: ChainPosition = { sequence: 0, hash: CHAIN_START };

/** The hash of a line: SHA-256 over the hash of the previous line and the text of this one (`hashedText`). */
export function chainHash(sha256: Sha256, before: Uint8Array, row: JournalRow): Uint8Array {
  return sha256(hashedText(row), before);
}

/**
 * The text of a line that its hash covers: a JSON list of its columns, a line feed and its event as stored. JSON
 * contains no bare line feed, so each text belongs to one line only. Inputs are the eighth column of the list; a line
 * without inputs has seven.
 */
export function hashedText(row: JournalRow): string {
  const { accountId, seq, atMs, origin, keyId, nonce, command } = row;
  const columns = [accountId, seq, atMs, origin, keyId, nonce, command];
  const list = JSON.stringify(row.inputs === null ? columns : [...columns, row.inputs]);
  return `${list}\n${row.event}`;
}

/** The line that has this text, the inverse of `hashedText`; null when no line has it. */
export function parseHashedText(text: string): JournalRow | null {
  const end = text.indexOf("\n");
  const [account, seq, atMs, origin, keyId, nonce, command, inputs = null] = parseColumns(
    text.slice(0, Math.max(0, end)),
  );
  if (typeof account !== "string" || typeof origin !== "string") return null;
  if (typeof command !== "string" || typeof seq !== "number" || typeof atMs !== "number") {
    return null;
  }
  if (!(isTextOrNull(keyId) && isTextOrNull(nonce) && isTextOrNull(inputs))) return null;
  const event = text.slice(end + 1);
  const head = { accountId: accountId(account), seq, atMs, origin, keyId, nonce, command };
  const row: JournalRow = { ...head, event, inputs };
  // A wrong number of columns, or another spelling of a column, gives a different text.
  return hashedText(row) === text ? row : null;
}

export function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function parseColumns(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Checks the hash chain of one journal, line by line. */
export interface ChainCheck {
  /** How many lines were read without a problem, by this check. */
  readonly lines: number;
  /**
   * The number of the last line that was read. Before any line was read, it is the number of the line after which the
   * check began.
   */
  readonly sequence: number;
  /** Checks the next line. Null when the line has the expected number and is as it was written. */
  read(line: ChainedLine): ChainProblem | null;
  /** To be called after the last line. Null when the number and hash of the last line match the account's row. */
  end(): ChainProblem | null;
}

/** The text of the problem that a journal does not have the line with the expected number. */
export const MISSING_LINE = "the line is missing";

/** Begins the check of a journal after the line `from`; `head` is the account's row that the journal has to match. */
export function checkChain(
  sha256: Sha256,
  head: JournalHead,
  from: ChainPosition = BEFORE_FIRST_LINE,
): ChainCheck {
  let { sequence, hash } = from;
  return {
    get lines() {
      return sequence - from.sequence;
    },
    get sequence() {
      return sequence;
    },
    read(line) {
      if (sequence === head.version) {
        return { seq: sequence + 1, why: "the account ends before this line" };
      }
      if (line.seq !== sequence + 1) return { seq: sequence + 1, why: MISSING_LINE };
      hash = chainHash(sha256, hash, { ...line, accountId: head.accountId });
      if (!equalBytes(hash, line.hash)) {
        return { seq: line.seq, why: "the line is not as it was written" };
      }
      sequence += 1;
      return null;
    },
    end() {
      if (sequence !== head.version) return { seq: sequence + 1, why: MISSING_LINE };
      if (equalBytes(hash, head.headHash)) return null;
      return { seq: sequence, why: "the account does not follow from this line" };
    },
  };
}

function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
