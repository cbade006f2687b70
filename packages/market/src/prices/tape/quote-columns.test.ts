import { pairId, price } from "@propgate/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings } from "../../../../../test/environment/depth.ts";
import { madeNumberedQuote } from "../../../../server/src/testing/made-numbered-quote.ts";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { createByteReader } from "./byte-reader.ts";
import { createByteWriter } from "./byte-writer.ts";
import { readQuotes, writeQuotes } from "./quote-columns.ts";
import { decodeChunkBody, encodeChunkBody } from "./tape-file.ts";

const PAIR = pairId("BTCUSD");
const time = fc.integer({ min: 0, max: 4_102_444_800_000 });
/** Any double that is a price, and prices with the decimals that venues send. */
const anyPrice = fc.oneof(
  fc.double({ min: Number.MIN_VALUE, max: 1e12, noNaN: true }),
  fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true }),
  fc
    .tuple(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 0, max: 9 }))
    .map(([whole, decimals]) => whole / 10 ** decimals),
);
const anyQuote = fc
  .record({
    number: fc.integer({ min: 1, max: 2 ** 50 }),
    previous: fc.integer({ min: 0, max: 1_000_000 }),
    source: fc.constantFrom("kraken", "hand", "börse", ""),
    bid: anyPrice,
    ask: anyPrice,
    atMs: time,
    madeAtMs: fc.option(time),
    receivedAtMs: time,
    edges: fc.option(fc.tuple(anyPrice, anyPrice, anyPrice, anyPrice)),
  })
  .map(({ edges, madeAtMs, ...quote }): NumberedQuote => {
    const made = madeNumberedQuote({ ...quote, epoch: 7, atMs: quote.atMs });
    const [lowBid, highBid, lowAsk, highAsk] = (edges ?? []).map(price);
    const range =
      lowBid === undefined || highBid === undefined || lowAsk === undefined || highAsk === undefined
        ? made.range
        : { lowBid, highBid, lowAsk, highAsk };
    return { ...made, range, madeAtMs: madeAtMs === null ? null : made.madeAtMs };
  });

/** The prices as their eight bytes, because two different doubles can be printed alike. */
function bits({ bid, ask, range }: NumberedQuote): string {
  const prices = [bid, ask, range.lowBid, range.highBid, range.lowAsk, range.highAsk];
  return Buffer.from(new Float64Array(prices).buffer).toString("hex");
}

describe("columns of a chunk", () => {
  test("any quotes come back with every time, number, source and bit of their prices", () => {
    fc.assert(
      fc.property(fc.array(anyQuote, { minLength: 1, maxLength: 40 }), (quotes) => {
        const back = decodeChunkBody(PAIR, encodeChunkBody(quotes));
        expect(back).toEqual(quotes);
        expect(back.map(bits)).toEqual(quotes.map(bits));
      }),
      propertySettings(500),
    );
  });

  test("a price that no decimal writes exactly comes back bit by bit", () => {
    const bid = 0.1 + 0.2;
    const quote = madeNumberedQuote({ number: 1, atMs: 5, bid, ask: 1 / 3 + 1 });
    const [back] = readQuotes(PAIR, writeQuotes([quote]));
    expect([back?.bid, back?.ask]).toEqual([0.300_000_000_000_000_04, 4 / 3]);
  });

  test("a quote without the venue's time, and times that go back, come back as they were", () => {
    const quotes = [
      { ...madeNumberedQuote({ number: 1, atMs: 1_000, receivedAtMs: 1_020 }), madeAtMs: null },
      madeNumberedQuote({ number: 2, atMs: 400, receivedAtMs: 300 }),
      madeNumberedQuote({ number: 3, atMs: 0, receivedAtMs: 0 }),
    ];
    expect(readQuotes(PAIR, writeQuotes(quotes))).toEqual(quotes);
  });

  test("quotes of a steady market take less than three bytes each", () => {
    const quotes = Array.from({ length: 1_000 }, (_, index) =>
      madeNumberedQuote({
        number: index + 1,
        atMs: 1_700_000_000_000 + index * 250,
        bid: (11_000 + ((index * 7) % 13)) / 10_000,
        ask: (11_002 + ((index * 7) % 13)) / 10_000,
      }),
    );
    expect(encodeChunkBody(quotes).length).toBeLessThan(3_000);
  });

  test("whole numbers and doubles of any size come back", () => {
    const whole = fc.integer({ min: -(2 ** 52), max: 2 ** 52 });
    fc.assert(
      fc.property(fc.array(whole), fc.array(fc.double()), (wholes, doubles) => {
        const out = createByteWriter();
        for (const value of wholes) out.whole(value);
        for (const value of doubles) out.double(value);
        const from = createByteReader(out.written());
        expect(wholes.map(() => from.whole())).toEqual(wholes.map((value) => value + 0));
        expect(doubles.map(() => from.double())).toEqual(doubles);
        expect(from.isAtEnd()).toBe(true);
      }),
      propertySettings(500),
    );
  });

  test("bytes that are no chunk are refused, never read as quotes", () => {
    const body = encodeChunkBody([madeNumberedQuote({ number: 1, atMs: 5 })]);
    expect(() => decodeChunkBody(PAIR, body.subarray(1))).toThrow("chunk");
    expect(() => readQuotes(PAIR, Buffer.from([1]))).toThrow("the bytes end too early");
    expect(() => createByteReader(Buffer.alloc(12, 255)).natural()).toThrow("too long");
  });
});
