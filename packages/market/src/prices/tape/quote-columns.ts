import { type PairId, price, type UnixMs, unixMs } from "@propgate/core";
import type { NumberedQuote, QuoteRange } from "../quotes/numbered-quote.ts";
import { type ByteReader, createByteReader, UnreadableBytes } from "./byte-reader.ts";
import { type ByteWriter, createByteWriter } from "./byte-writer.ts";
import { decimalsOf, readPrices, writePrices } from "./price-column.ts";

/** The maximum number of quotes in a chunk that is read. A greater number means that the bytes are damaged. */
const COUNT_MAX = 1_000_000;

/**
 * Writes quotes of one pair and one epoch column by column. Neighbors in a column differ little, so they take few bytes
 * and compress well.
 */
export function writeQuotes(quotes: readonly NumberedQuote[]): Uint8Array {
  const out = createByteWriter();
  out.natural(quotes.length);
  out.natural(quotes[0]?.epoch ?? 0);
  writeNumbers(out, quotes);
  writeTimes(out, quotes);
  writeSources(out, quotes);
  const bids = quotes.map(({ bid }) => bid);
  const asks = quotes.map(({ ask }) => ask);
  const ranges = quotes.map(rangeDifferences);
  const edges = ranges.flatMap((differences) => differences.prices);
  const decimals = decimalsOf([bids, asks, edges]);
  out.byte(decimals);
  const { ticks } = writePrices(out, bids, { decimals, referenceTicks: null });
  writePrices(out, asks, { decimals, referenceTicks: ticks });
  for (const { mask } of ranges) out.byte(mask);
  writePrices(out, edges, { decimals, referenceTicks: null });
  return out.written();
}

/** Reads the quotes that `writeQuotes` wrote. Throws `UnreadableBytes` when the bytes have another form. */
export function readQuotes(pair: PairId, content: Uint8Array): readonly NumberedQuote[] {
  const from = createByteReader(content);
  const count = from.natural();
  if (count > COUNT_MAX) throw new UnreadableBytes(`a chunk of ${count} quotes`);
  const epoch = from.natural();
  const numbers = readNumbers(from, count);
  const times = readTimes(from, count);
  const sources = readSources(from, count);
  const decimals = from.byte();
  const bids = readPrices(from, count, { decimals, referenceTicks: null });
  const asks = readPrices(from, count, { decimals, referenceTicks: bids.ticks });
  const masks = Array.from({ length: count }, () => from.byte());
  const edgeCount = masks.reduce((sum, mask) => sum + bitsOf(mask), 0);
  const edges = readPrices(from, edgeCount, { decimals, referenceTicks: null }).prices;
  if (!from.isAtEnd()) throw new UnreadableBytes("bytes are left over");
  const nextEdge = edges.values();
  return masks.map((mask, index): NumberedQuote => {
    const bid = price(bids.prices[index] ?? 0);
    const ask = price(asks.prices[index] ?? 0);
    const time = times[index] ?? NO_TIMES;
    const edge = (bit: number, otherwise: typeof bid) =>
      (mask & bit) === 0 ? otherwise : price(nextEdge.next().value ?? 0);
    return {
      epoch,
      number: numbers[index]?.number ?? 0,
      previous: numbers[index]?.previous ?? 0,
      source: sources[index] ?? "",
      pair,
      bid,
      ask,
      atMs: time.atMs,
      madeAtMs: time.madeAtMs,
      receivedAtMs: time.receivedAtMs,
      range: {
        lowBid: edge(1, bid),
        highBid: edge(2, bid),
        lowAsk: edge(4, ask),
        highAsk: edge(8, ask),
      },
    };
  });
}

/**
 * The prices of a quote's range that differ from its own bid or ask. Bit 0 of `mask` is set when the first of `EDGES`
 * differs, bit 1 for the second, and so on.
 */
function rangeDifferences({ bid, ask, range }: NumberedQuote): {
  readonly mask: number;
  readonly prices: readonly number[];
} {
  const edges = EDGES.map((edge) => range[edge]);
  const own = [bid, bid, ask, ask];
  const differs = edges.map((edge, index) => edge !== own[index]);
  return {
    mask: differs.reduce((mask, isOther, index) => (isOther ? mask + 2 ** index : mask), 0),
    prices: edges.filter((_, index) => differs[index]),
  };
}

const EDGES = ["lowBid", "highBid", "lowAsk", "highAsk"] as const satisfies (keyof QuoteRange)[];

function bitsOf(mask: number): number {
  return [1, 2, 4, 8].filter((bit) => (mask & bit) !== 0).length;
}

/**
 * Writes numbers and previous numbers as differences. A previous number is nearly always the number before it in the
 * chunk, so its difference is 0, which takes almost no space when compressed.
 */
function writeNumbers(out: ByteWriter, quotes: readonly NumberedQuote[]): void {
  let last = 0;
  for (const { number } of quotes) {
    out.whole(number - last);
    last = number;
  }
  last = 0;
  for (const { number, previous } of quotes) {
    out.whole(previous - last);
    last = number;
  }
}

function readNumbers(
  from: ByteReader,
  count: number,
): readonly { readonly number: number; readonly previous: number }[] {
  let last = 0;
  const numbers = Array.from({ length: count }, () => {
    last += from.whole();
    return last;
  });
  return numbers.map((number, index) => ({
    number,
    previous: from.whole() + (numbers[index - 1] ?? 0),
  }));
}

interface QuoteTimes {
  readonly atMs: UnixMs;
  readonly receivedAtMs: UnixMs;
  readonly madeAtMs: UnixMs | null;
}

const NO_TIMES: QuoteTimes = { atMs: unixMs(0), receivedAtMs: unixMs(0), madeAtMs: null };

function writeTimes(out: ByteWriter, quotes: readonly NumberedQuote[]): void {
  let last = 0;
  for (const { receivedAtMs } of quotes) {
    out.whole(receivedAtMs - last);
    last = receivedAtMs;
  }
  for (const { atMs, receivedAtMs } of quotes) out.whole(receivedAtMs - atMs);
  for (const { madeAtMs, atMs } of quotes) {
    // 0 means that the quote has no time of its own.
    const lag = madeAtMs === null ? null : atMs - madeAtMs;
    out.whole(lag === null ? 0 : lag >= 0 ? lag + 1 : lag);
  }
}

function readTimes(from: ByteReader, count: number): readonly QuoteTimes[] {
  let last = 0;
  const received = Array.from({ length: count }, () => {
    last += from.whole();
    return last;
  });
  const at = received.map((receivedAtMs) => receivedAtMs - from.whole());
  return at.map((atMs, index) => {
    const lag = from.whole();
    return {
      atMs: unixMs(atMs),
      receivedAtMs: unixMs(received[index] ?? 0),
      madeAtMs: lag === 0 ? null : unixMs(atMs - (lag > 0 ? lag - 1 : lag)),
    };
  });
}

/** Writes each source's name once, then for each quote the position of its source's name. */
function writeSources(out: ByteWriter, quotes: readonly NumberedQuote[]): void {
  const names = [...new Set(quotes.map(({ source }) => source))];
  const positions = new Map(names.map((name, index) => [name, index]));
  out.natural(names.length);
  for (const name of names) out.text(name);
  for (const { source } of quotes) out.natural(positions.get(source) ?? 0);
}

function readSources(from: ByteReader, count: number): readonly string[] {
  const size = from.natural();
  if (size > count) throw new UnreadableBytes(`${size} sources of ${count} quotes`);
  const names = Array.from({ length: size }, () => from.text());
  return Array.from({ length: count }, () => {
    const name = names[from.natural()];
    if (name === undefined) throw new UnreadableBytes("a source without a name");
    return name;
  });
}
