import { type AccountId, accountId } from "../ids.ts";
import type { Sha256 } from "./sha256.ts";

/** A line of the journal exactly as stored; the chain covers all of it. */
export interface JournalRow {
  readonly accountId: AccountId;
  readonly seq: number;
  readonly atMs: number;
  readonly origin: string;
  readonly keyId: string | null;
  readonly nonce: string | null;
  /** The type of the command that led to it. */
  readonly command: string;
  /** JSON, byte for byte. */
  readonly event: string;
  /**
   * The inputs of the decision, as core's `encodeInputs` writes it. Only on the first line of a decision; null on
   * its other lines.
   */
  readonly inputs: string | null;
}

/** A line with its hash, which covers all lines before it. */
export interface ChainedLine extends JournalRow {
  readonly hash: Uint8Array;
}

/** The columns of an account's row that its journal must match. */
export interface JournalHead {
  readonly accountId: AccountId;
  /** The number of lines. */
  readonly version: number;
  /** The hash of the last line. */
  readonly headHash: Uint8Array;
}

/** The first wrong line of a journal. */
export interface ChainProblem {
  readonly seq: number;
  /** A clause without a full stop: `the line is missing`. */
  readonly why: string;
}

/** The hash before the first line of every account. */
export const CHAIN_START: Uint8Array = new Uint8Array(32);

/** The line after which a check begins; 0 and `CHAIN_START` before the first line. */
export interface ChainPlace {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

const FIRST_PLACE: ChainPlace = { sequence: 0, hash: CHAIN_START };

/**
 * SHA-256 over the previous line's hash and this line. A line is hashed as a JSON list of its columns, a
 * line feed and its event as stored. JSON has no bare line feed, so the text of a line is unambiguous.
 * Inputs are the eighth column of the list; a line without inputs has seven.
 */
export function chainHash(sha256: Sha256, before: Uint8Array, row: JournalRow): Uint8Array {
  return sha256(hashedText(row), before);
}

/** The text of a line that its hash covers. */
export function hashedText(row: JournalRow): string {
  const { accountId, seq, atMs, origin, keyId, nonce, command } = row;
  const columns = [accountId, seq, atMs, origin, keyId, nonce, command];
  const list = JSON.stringify(row.inputs === null ? columns : [...columns, row.inputs]);
  return `${list}\n${row.event}`;
}

/** The line of such a text; null when the text is not the text of a line. */
export function rowOfText(text: string): JournalRow | null {
  const end = text.indexOf("\n");
  const [account, seq, atMs, origin, keyId, nonce, command, inputs = null] = columnsIn(
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
  // A different number of columns, or a different spelling of one, gives a different text.
  return hashedText(row) === text ? row : null;
}

export function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function columnsIn(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Checks the chain of one journal, line by line. */
export interface ChainCheck {
  /** How many lines were read without a problem. */
  readonly lines: number;
  /** The number of the last line. */
  readonly sequence: number;
  /** Null when this is the next line, as it was written. */
  read(line: ChainedLine): ChainProblem | null;
  /** After the last line: null when the account's row follows from the lines. */
  end(): ChainProblem | null;
}

export const MISSING_LINE = "the line is missing";

export function checkChain(
  sha256: Sha256,
  head: JournalHead,
  from: ChainPlace = FIRST_PLACE,
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
      if (!isSame(hash, line.hash)) {
        return { seq: line.seq, why: "the line is not as it was written" };
      }
      sequence += 1;
      return null;
    },
    end() {
      if (sequence !== head.version) return { seq: sequence + 1, why: MISSING_LINE };
      if (isSame(hash, head.headHash)) return null;
      return { seq: sequence, why: "the account does not follow from this line" };
    },
  };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
