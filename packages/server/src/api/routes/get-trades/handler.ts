import { parseTradesQuery, TRADES_AFTER_TEXT } from "@propgate/contract";
import { jsonListPieces } from "@propgate/wire";
import { fittingItems } from "../fitting-page.ts";
import {
  type Answered,
  type Handler,
  minimumReadAt,
  type NetworkOptions,
  networkOf,
  readingRejection,
  rejectWith,
} from "../handler.ts";

/** GET trades: closed ones, newest first, all of them or a page. @rule S2.4 @rule D13.tradesPage decides */
export const getTrades =
  (options: NetworkOptions): Handler =>
  async (input) => {
    const query = parseTradesQuery(input.query);
    if (!query.ok) return rejectWith("invalidTrades", query.message);
    const network = networkOf(options, input);
    if (query.page === null) {
      const reading = await network.trades(minimumReadAt(input));
      return reading.ok ? wholeAnswer(reading.value) : readingRejection(reading, input);
    }
    const reading = await network.tradesPage(minimumReadAt(input), query.page);
    if (!reading.ok) return readingRejection(reading, input);
    return reading.value === null
      ? rejectWith("invalidTrades", TRADES_AFTER_TEXT)
      : fittingItems(reading.value, ({ id }) => id);
  };

/** The number of pieces of a short list: the opening bracket, one piece with all trades, and the closing bracket. */
const SHORT_PIECES = 3;

/** The answer with all trades. A short list is one text, so its answer has a length. */
async function wholeAnswer(trades: AsyncIterable<Uint8Array>): Promise<Answered> {
  const list = jsonListPieces(trades);
  const begun: Uint8Array[] = [];
  while (begun.length <= SHORT_PIECES) {
    const next = await list.next();
    if (next.done === true) return { ok: true, json: Buffer.concat(begun).toString(), ignored: [] };
    begun.push(next.value);
  }
  return { ok: true, json: resumePieces(begun, list), ignored: [] };
}

async function* resumePieces(
  begun: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* begun;
    yield* rest;
  } finally {
    // When the client has disconnected, the reading ends, even if `rest` has not been read yet.
    await rest.return(undefined);
  }
}
