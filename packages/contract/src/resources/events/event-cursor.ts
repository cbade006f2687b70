/** A position in an account's journal: after the line with this number. @rule D9.cursor */
export interface EventCursor {
  /** The number of a journal line; 0 is before the first line. */
  readonly sequence: number;
  /** The first half of the line's hash in hexadecimal; null when only the sequence is known. */
  readonly hash: string | null;
}

const CURSOR = /^(0|[1-9][0-9]{0,14})(?:-([0-9a-f]{32}))?$/;
/** The number of hexadecimal digits of half a SHA-256 hash. */
const HASH_DIGITS = 32;

/** Parses the text of a cursor; null when the text is not a cursor. */
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
