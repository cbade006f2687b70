const START_BYTES = 1_024;
/**
 * The largest amount, of either sign, that `whole` writes. It doubles a number to store its sign, so larger ones would
 * lose digits.
 */
const WHOLE_MAX = 2 ** 52;

/** Writes numbers and texts in sequence; `ByteReader` reads them in the same order. */
export interface ByteWriter {
  byte(value: number): void;
  /** Writes a whole number from 0, in as few bytes as it needs. */
  natural(value: number): void;
  /** Writes a whole number of either sign, up to 2 to the power of 52. */
  whole(value: number): void;
  /** Writes the eight bytes of any number. */
  double(value: number): void;
  text(value: string): void;
  /** Everything that was written. It is valid only until the next write. */
  written(): Uint8Array;
}

export function createByteWriter(): ByteWriter {
  let bytes = Buffer.allocUnsafe(START_BYTES);
  let at = 0;
  const reserve = (count: number): void => {
    if (at + count <= bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, at + count));
    bytes.copy(larger, 0, 0, at);
    bytes = larger;
  };
  const natural = (value: number): void => {
    reserve(8);
    let rest = value;
    while (rest >= 128) {
      bytes[at] = (rest % 128) + 128;
      at += 1;
      rest = Math.floor(rest / 128);
    }
    bytes[at] = rest;
    at += 1;
  };
  return {
    byte(value) {
      reserve(1);
      bytes[at] = value;
      at += 1;
    },
    natural(value) {
      if (!(Number.isSafeInteger(value) && value >= 0)) throw notWhole(value);
      natural(value);
    },
    whole(value) {
      if (!(Number.isInteger(value) && Math.abs(value) <= WHOLE_MAX)) throw notWhole(value);
      natural(value >= 0 ? 2 * value : -2 * value - 1);
    },
    double(value) {
      reserve(8);
      at = bytes.writeDoubleLE(value, at);
    },
    text(value) {
      const encoded = Buffer.from(value, "utf8");
      natural(encoded.length);
      reserve(encoded.length);
      at += encoded.copy(bytes, at);
    },
    written: () => bytes.subarray(0, at),
  };
}

function notWhole(value: number): Error {
  return new Error(`broken invariant: a whole number that a tape can hold, not ${value}`);
}
