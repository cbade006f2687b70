import { createHash } from "node:crypto";
import { accountId } from "@propgate/core";
import type { TransactionPosition } from "../storage/transaction-lines.ts";

/** A position in the order of one database's events. */
export interface FirehosePosition {
  /** Identifies the database's history: a restore gives the database a new identity. */
  readonly identity: Uint8Array;
  /** The last line that was read, whether a filter kept it or not; null before the first line. */
  readonly line: TransactionPosition | null;
}

/** A position in the events of all databases. */
export interface FirehoseCursor {
  /** The number of the database that the next page begins with. */
  readonly nextDatabase: number;
  /** The position in each database, by its number. A database that was added later than the cursor has none. */
  readonly places: readonly FirehosePosition[];
}

/** The cursor before every event. */
export const FIREHOSE_START: FirehoseCursor = { nextDatabase: 0, places: [] };

const FORM = 1;
const HEAD_BYTES = 2;
const IDENTITY_BYTES = 8;
const ID_BYTES = 16;
const HASH_BYTES = 8;
const PART_BYTES = IDENTITY_BYTES + 8 + ID_BYTES + 8 + HASH_BYTES;
const CHECK_BYTES = 4;

/** The identity of a database as a cursor contains it: the first 8 bytes of a hash. */
export function identityOf(incarnation: string, database: number): Uint8Array {
  return sha256(`${incarnation} ${database}`).subarray(0, IDENTITY_BYTES);
}

/**
 * The text of a cursor for clients. It contains for each database its identity, and the transaction, account, sequence
 * and hash of the last line. The transaction's id has all 64 bits, so it stays unique after the server's 32-bit ids
 * have wrapped. The checksum detects a truncated text. The text is not signed, because `Firehose` compares its
 * positions with the journal. @rule D9.firehoseCursor
 */
export function encodeCursor({ nextDatabase, places }: FirehoseCursor): string {
  const bytes = Buffer.concat([Buffer.from([FORM, nextDatabase]), ...places.map(encodePlace)]);
  return Buffer.concat([bytes, checksumOf(bytes)]).toString("base64url");
}

/** The cursor that a text describes; null for a text that is not a cursor. */
export function parseCursor(text: string): FirehoseCursor | null {
  const all = Buffer.from(text, "base64url");
  const bytes = all.subarray(0, -CHECK_BYTES);
  const partsBytes = bytes.length - HEAD_BYTES;
  if (partsBytes < 0 || partsBytes % PART_BYTES !== 0 || bytes[0] !== FORM) return null;
  // The decoder ignores other characters, so a text with any of them differs from its canonical form.
  if (all.toString("base64url") !== text) return null;
  if (!checksumOf(bytes).equals(all.subarray(-CHECK_BYTES))) return null;
  const places = Array.from({ length: partsBytes / PART_BYTES }, (_, index) =>
    decodePlace(bytes.subarray(HEAD_BYTES + index * PART_BYTES)),
  );
  const isKnown = places.every(({ line }) => line === null || Number.isSafeInteger(line.sequence));
  return isKnown ? { nextDatabase: bytes[1] ?? 0, places } : null;
}

function encodePlace({ identity, line }: FirehosePosition): Buffer {
  const part = Buffer.alloc(PART_BYTES);
  part.set(identity.subarray(0, IDENTITY_BYTES));
  if (line === null) return part;
  let at = part.writeBigUInt64BE(line.transaction, IDENTITY_BYTES);
  at += part.write(line.accountId.replaceAll("-", ""), at, "hex");
  at = part.writeBigUInt64BE(BigInt(line.sequence), at);
  part.set(line.hash.subarray(0, HASH_BYTES), at);
  return part;
}

function decodePlace(part: Buffer): FirehosePosition {
  const identity = part.subarray(0, IDENTITY_BYTES);
  const transaction = part.readBigUInt64BE(IDENTITY_BYTES);
  if (transaction === 0n) return { identity, line: null };
  const id = part.toString("hex", IDENTITY_BYTES + 8, IDENTITY_BYTES + 8 + ID_BYTES);
  const sequence = Number(part.readBigUInt64BE(IDENTITY_BYTES + 8 + ID_BYTES));
  const hash = part.subarray(PART_BYTES - HASH_BYTES, PART_BYTES);
  return { identity, line: { transaction, accountId: accountId(uuidOf(id)), sequence, hash } };
}

function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function checksumOf(bytes: Uint8Array): Buffer {
  return sha256(bytes).subarray(0, CHECK_BYTES);
}

function sha256(content: string | Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}
