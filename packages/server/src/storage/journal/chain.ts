import { hash } from "node:crypto";
import type { AccountId } from "@propgate/core";

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
   * its other lines, and on lines of earlier releases, which have none.
   */
  readonly inputs: string | null;
}

/** The hash before the first line of every account. */
export const CHAIN_START: Uint8Array = new Uint8Array(32);

/**
 * SHA-256 over the previous line's hash and this line. A line is hashed as a JSON list of its columns, a
 * line feed and its event as stored. JSON has no bare line feed, so the text of a line is unambiguous.
 * Inputs are the eighth column of the list; a line without inputs has seven, as in earlier releases.
 */
export function chainHash(before: Uint8Array, row: JournalRow): Uint8Array {
  const { accountId, seq, atMs, origin, keyId, nonce, command } = row;
  const columns = [accountId, seq, atMs, origin, keyId, nonce, command];
  const list = JSON.stringify(row.inputs === null ? columns : [...columns, row.inputs]);
  return hash("sha256", Buffer.concat([before, Buffer.from(`${list}\n${row.event}`)]), "buffer");
}
