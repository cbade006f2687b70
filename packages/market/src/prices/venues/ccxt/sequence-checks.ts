import { memberOf } from "./member-of.ts";

/** Checks the messages of one connection in order. Returns a failure in words, or null. */
export type SequenceCheck = (message: unknown) => string | null;

/** Makes the check for Coinbase, which numbers all messages of a connection without gaps. */
export function createCoinbaseSequenceCheck(): SequenceCheck {
  let last: number | null = null;
  return (message) => {
    const number = memberOf(message, "sequence_num");
    if (typeof number !== "number") return null;
    const expected: number = last === null ? number : last + 1;
    last = number;
    return number === expected ? null : `message ${number} instead of ${expected}`;
  };
}
