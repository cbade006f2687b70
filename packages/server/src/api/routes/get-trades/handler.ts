import { LIMITS, parseTradesQuery, TRADES_AFTER_TEXT } from "@propgate/contract";
import { wireJson } from "../../../base/wire-json.ts";
import type { TradesAnswer } from "../../network/wire-network.ts";
import {
  type Answered,
  type Handler,
  type NetworkOptions,
  networkOf,
  readAt,
  rejected,
  unread,
} from "../handler.ts";

/** GET trades: closed ones, newest first, all of them or a page. @rule S2.4 D13.tradesPage */
export const getTrades =
  (options: NetworkOptions): Handler =>
  async (input) => {
    const query = parseTradesQuery(input.query);
    if (!query.ok) return rejected("invalidTrades", query.message);
    const network = networkOf(options, input);
    if (query.page === null) {
      const reading = await network.trades(readAt(input));
      return reading.ok ? whole(reading.value) : unread(reading, input);
    }
    const reading = await network.tradesPage(readAt(input), query.page);
    if (!reading.ok) return unread(reading, input);
    return reading.value === null
      ? rejected("invalidTrades", TRADES_AFTER_TEXT)
      : pageAnswer(reading.value);
  };

/** A short list is one text, so its answer has a length. */
async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Answered> {
  const reader = pieces[Symbol.asyncIterator]();
  const first = await reader.next();
  const second = first.done === true ? first : await reader.next();
  const ignored: readonly string[] = [];
  if (first.done === true) return { ok: true, json: "[]", ignored };
  if (second.done === true) {
    return { ok: true, json: `[${Buffer.from(first.value).toString()}]`, ignored };
  }
  return { ok: true, json: list([first.value, second.value], reader), ignored };
}

async function* list(
  [first, ...begun]: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield Buffer.from("[");
    if (first !== undefined) yield first;
    for (const piece of begun) yield* [COMMA, piece];
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield* [COMMA, next.value];
    }
    yield Buffer.from("]");
  } finally {
    await rest.return?.();
  }
}

const COMMA = Buffer.from(",");

/** As many trades as fit into the size of an answer. */
function pageAnswer({ items, hasMore }: TradesAnswer): Answered {
  const texts: string[] = [];
  let bytes = ENVELOPE_BYTES;
  for (const item of items) {
    const text = wireJson(item);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > LIMITS.tradesPageBytesMax) break;
    texts.push(text);
  }
  const isWhole = texts.length === items.length && !hasMore;
  const next = isWhole ? null : (items[texts.length - 1]?.id ?? null);
  return { ok: true, json: `[${texts.join(",")}]`, ignored: [], next };
}

/** More than the envelope has around the list. */
const ENVELOPE_BYTES = 256;
