import { parseTradesQuery, TRADES_AFTER_TEXT } from "@propgate/contract";
import { jsonListPieces } from "@propgate/wire";
import { fittingItems } from "../fitting-page.ts";
import {
  type Answered,
  type Handler,
  type NetworkOptions,
  networkOf,
  readAt,
  readingRejection,
  rejected,
} from "../handler.ts";

/** GET trades: closed ones, newest first, all of them or a page. @rule S2.4 @rule D13.tradesPage decides */
export const getTrades =
  (options: NetworkOptions): Handler =>
  async (input) => {
    const query = parseTradesQuery(input.query);
    if (!query.ok) return rejected("invalidTrades", query.message);
    const network = networkOf(options, input);
    if (query.page === null) {
      const reading = await network.trades(readAt(input));
      return reading.ok ? whole(reading.value) : readingRejection(reading, input);
    }
    const reading = await network.tradesPage(readAt(input), query.page);
    if (!reading.ok) return readingRejection(reading, input);
    return reading.value === null
      ? rejected("invalidTrades", TRADES_AFTER_TEXT)
      : fittingItems(reading.value, ({ id }) => id);
  };

/** The pieces of a short list: a bracket, one piece of trades and the other bracket. */
const SHORT_PIECES = 3;

/** The answer with all trades. A short list is one text, so its answer has a length. */
async function whole(trades: AsyncIterable<Uint8Array>): Promise<Answered> {
  const list = jsonListPieces(trades);
  const begun: Uint8Array[] = [];
  while (begun.length <= SHORT_PIECES) {
    const next = await list.next();
    if (next.done === true) return { ok: true, json: Buffer.concat(begun).toString(), ignored: [] };
    begun.push(next.value);
  }
  return { ok: true, json: continued(begun, list), ignored: [] };
}

async function* continued(
  begun: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* begun;
    yield* rest;
  } finally {
    // A client that is gone ends the reading, also before the rest has begun.
    await rest.return(undefined);
  }
}
