const COMMA = Buffer.from(",");

/** A JSON list in pieces, of pieces with one or more items each. */
export async function* listPieces(items: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from("[");
  let isFirst = true;
  for await (const piece of items) {
    if (!isFirst) yield COMMA;
    isFirst = false;
    yield piece;
  }
  yield Buffer.from("]");
}
