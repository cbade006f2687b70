import fc from "fast-check";

/**
 * Any code point, including half of a surrogate pair. It replaces fast-check's "binary" unit, which takes a second of
 * processor time to make.
 */
export const arbitraryCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_ff_ff })
  .map((code) => String.fromCodePoint(code));
