/** The bytes of a chunk or row do not have the form that this version writes. */
export class UnreadableBytes extends Error {
  override readonly name = "UnreadableBytes";
}

/**
 * Reads the values that a `ByteWriter` wrote, in the same order. Every read throws `UnreadableBytes` when the bytes end
 * too early.
 */
export interface ByteReader {
  byte(): number;
  natural(): number;
  whole(): number;
  double(): number;
  text(): string;
  /** True when every byte was read. */
  isAtEnd(): boolean;
}

export function createByteReader(content: Uint8Array): ByteReader {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  let at = 0;
  const take = (count: number): number => {
    const from = at;
    at += count;
    if (at > bytes.length) throw new UnreadableBytes("the bytes end too early");
    return from;
  };
  const byte = (): number => bytes[take(1)] ?? 0;
  const natural = (): number => {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 49; factor *= 128) {
      const next = byte();
      value += (next % 128) * factor;
      if (next < 128) return value;
    }
    throw new UnreadableBytes("a number is too long");
  };
  return {
    byte,
    natural,
    whole() {
      const folded = natural();
      return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
    },
    double: () => bytes.readDoubleLE(take(8)),
    text() {
      const length = natural();
      const from = take(length);
      return bytes.toString("utf8", from, from + length);
    },
    isAtEnd: () => at === bytes.length,
  };
}
