/** A place in an account's journal. @rule D9.cursor */
export interface EventCursor {
  /** The number of a line; 0 is the place before the first line. */
  readonly sequence: number;
  /** The first half of the line's hash in hexadecimal; null when only the sequence is known. */
  readonly hash: string | null;
}

const CURSOR = /^(0|[1-9][0-9]{0,14})(?:-([0-9a-f]{32}))?$/;
/** Digits of half a SHA-256. */
const HASH_DIGITS = 32;

/** The cursor that a text writes; null for a text that is not a cursor. */
export function parseEventCursor(text: string): EventCursor | null {
  const [, sequence, hash] = CURSOR.exec(text) ?? [];
  return sequence === undefined ? null : { sequence: Number(sequence), hash: hash ?? null };
}

/**
 * The text of a cursor, `418-9f2c41ab07d35e6c88b1d20f6a4e91c3`, from a line's number and the line's hash in
 * hexadecimal.
 */
export function eventCursor(sequence: number, hash: string): string {
  return `${sequence}-${hash.slice(0, HASH_DIGITS)}`;
}
