import fc from "fast-check";

/** Any code point, half of a pair too: fast-check's "binary", which takes a second of processor time to make. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_ff_ff })
  .map((code) => String.fromCodePoint(code));
