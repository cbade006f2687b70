const COMMA = Buffer.from(",");

/** Writes a JSON list in pieces. Each piece of `items` has one or more items. */
export async function* jsonListPieces(
  items: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from("[");
  let isFirst = true;
  for await (const piece of items) {
    if (!isFirst) yield COMMA;
    isFirst = false;
    yield piece;
  }
  yield Buffer.from("]");
}
