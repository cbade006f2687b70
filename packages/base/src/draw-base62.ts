import { BASE62_DIGITS } from "@propgate/contract";
import type { Chance } from "./random.ts";

/**
 * A byte of this value or more is drawn again: 256 is not a multiple of 62, so these bytes would make the first eight
 * characters more likely.
 */
const FAIR_BYTES = 248;

/** Draws `length` characters out of 0-9, A-Z and a-z, each with the same probability. */
export function drawBase62(chance: Chance, length: number): string {
  let drawn = "";
  while (drawn.length < length) {
    const fair = chance.bytes(length - drawn.length).filter((byte) => byte < FAIR_BYTES);
    for (const byte of fair) drawn += BASE62_DIGITS.charAt(byte % BASE62_DIGITS.length);
  }
  return drawn;
}
