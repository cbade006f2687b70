import { type PairId, pairId } from "@propgate/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings } from "../../../../../test/environment/depth.ts";
import { madeNumberedQuote } from "../../../../server/src/testing/made-numbered-quote.ts";
import type { NumberedQuote } from "./numbered-quote.ts";
import { createWaitingQuotes, WAITING_MAX } from "./waiting-quotes.ts";

const PAIR = "BTCUSD";

/** Makes quotes of one pair, numbered from 1. */
function quotesOf(sides: readonly (readonly [bid: number, ask: number])[]): NumberedQuote[] {
  return sides.map(([bid, ask], index) =>
    madeNumberedQuote({ number: index + 1, pair: PAIR, bid, ask, atMs: 1000 + index }),
  );
}

function mergedOf(quotes: readonly NumberedQuote[]): readonly NumberedQuote[] {
  const waiting = createWaitingQuotes(() => undefined);
  for (const quote of quotes) waiting.add(quote);
  return waiting.takeExcept(new Set());
}

const SPREAD = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 60 }));

/** Prices of one pair that move in steps or jump, on a coarse grid, so that equal prices and moves are common. */
const WALK = fc.oneof(
  fc
    .array(fc.tuple(fc.integer({ min: -6, max: 6 }), SPREAD), {
      minLength: 1,
      maxLength: 150,
      size: "max",
    })
    .map((steps) => {
      let bid = 70;
      return steps.map(([step, spread]) => {
        bid = Math.max(20, Math.min(120, bid + step));
        return [bid, bid + spread] as const;
      });
    }),
  fc
    .array(fc.tuple(fc.integer({ min: 20, max: 120 }), SPREAD), {
      minLength: 1,
      maxLength: 150,
      size: "max",
    })
    .map((jumps) => jumps.map(([bid, spread]) => [bid, bid + spread] as const)),
);

/** A rule that tells whether an order that was pending before the quotes triggers at one of them. */
type Standing = (quotes: readonly NumberedQuote[]) => boolean;

const LEVEL = fc
  .record({
    side: fc.constantFrom("bid", "ask", "mid"),
    isAbove: fc.boolean(),
    level: fc.integer({ min: 30, max: 260 }),
  })
  .map(({ side, isAbove, level }): Standing => {
    // Prices are doubled, so that mid prices are whole numbers.
    const seen = ({ bid, ask }: NumberedQuote) =>
      side === "mid" ? bid + ask : 2 * (side === "bid" ? bid : ask);
    return (quotes) =>
      quotes.some((quote) => (isAbove ? seen(quote) >= level : seen(quote) <= level));
  });

/**
 * The rule D5.trailing: the stop of a long is the distance below the best bid so far, that of a short above the best
 * ask.
 */
const TRAILING = fc
  .record({
    isLong: fc.boolean(),
    best: fc.constantFrom(20, 70, 124),
    value: fc.integer({ min: 1, max: 99 }),
    isPercent: fc.boolean(),
  })
  .map(({ isLong, best: first, value, isPercent }): Standing => {
    const away = (price: number) => (isPercent ? (price * value) / 100 : value);
    return (quotes) => {
      let best: number = first;
      return quotes.some(({ bid, ask }) => {
        if (isLong) {
          best = Math.max(best, bid);
          return bid <= best - away(best) + 1e-9;
        }
        best = Math.min(best, ask);
        return ask >= best + away(best) - 1e-9;
      });
    };
  });

describe("quotes that wait", () => {
  test("quotes that wait are settled in order of number, over all pairs, and none is merged while few wait", () => {
    const waiting = createWaitingQuotes(() => undefined);
    const add = (number: number, pair: string) =>
      waiting.add(madeNumberedQuote({ number, pair, bid: 100, ask: 101, atMs: 1000 + number }));
    const sent = Array.from({ length: 2 * WAITING_MAX }, (_, index) => index + 1);
    for (const number of sent) add(number, number % 2 === 0 ? "ETHUSD" : PAIR);
    expect([waiting.size, waiting.oldestReceivedAtMs()]).toEqual([2 * WAITING_MAX, 1001]);
    expect(waiting.takeExcept(new Set()).map(({ number }) => number)).toEqual(sent);
    expect([waiting.size, waiting.oldestReceivedAtMs()]).toEqual([0, null]);
    expect(waiting.takeExcept(new Set())).toEqual([]);
  });

  test("equal quotes merge to one, and its range is theirs", () => {
    const equal = mergedOf(quotesOf(Array.from({ length: WAITING_MAX + 1 }, () => [100, 101])));
    expect(equal.map(({ number }) => number)).toEqual([1, WAITING_MAX + 1]);
    expect(equal[1]?.range).toEqual({ lowBid: 100, highBid: 100, lowAsk: 101, highAsk: 101 });
  });

  test("quotes that wait keep the fall that a trailing stop needs, though neither end is the lowest or the highest", () => {
    const calm = Array.from({ length: WAITING_MAX - 3 }, () => [110, 110] as const);
    const kept = mergedOf(quotesOf([[90, 90], [110, 110], [97, 97], [115, 115], ...calm]));
    expect(kept.map(({ bid }) => bid)).toEqual([90, 110, 97, 115, 110]);
  });

  test("a thousand pairs keep fifteen quotes each at most", () => {
    let mergedAway = 0;
    const waiting = createWaitingQuotes((removed) => {
      mergedAway += removed;
    });
    const last = new Map<PairId, number>();
    for (let number = 1; number <= 100_000; number += 1) {
      const pair = `P${number % 1_000}`;
      const bid = 100 + ((number * 7_919) % 1_009) / 10;
      waiting.add(
        madeNumberedQuote({ number, pair, bid, ask: bid + (number % 13) / 10, atMs: number }),
      );
      last.set(pairId(pair), number);
    }
    const kept = waiting.takeExcept(new Set());
    const byPair = Map.groupBy(kept, ({ pair }) => pair);
    expect(byPair.size).toBe(1_000);
    for (const [pair, quotes] of byPair) {
      expect(quotes.length).toBeLessThanOrEqual(WAITING_MAX);
      expect(quotes.at(-1)?.number).toBe(last.get(pair));
    }
    expect(kept.length + mergedAway).toBe(100_000);
  });

  test("quotes that wait are real quotes in order, the newest included, and their ranges leave nothing out", () => {
    fc.assert(
      fc.property(WALK, (sides) => {
        const all = quotesOf(sides);
        const kept = mergedOf(all);
        let place = 0;
        for (const { range, ...quote } of kept) {
          const { range: own, ...original } =
            all[quote.number - 1] ?? madeNumberedQuote({ number: 0, atMs: 0 });
          expect(quote).toEqual(original);
          const covered = all.slice(place, quote.number);
          expect(range).toEqual({
            lowBid: Math.min(...covered.map(({ bid }) => bid)),
            highBid: Math.max(...covered.map(({ bid }) => bid)),
            lowAsk: Math.min(...covered.map(({ ask }) => ask)),
            highAsk: Math.max(...covered.map(({ ask }) => ask)),
          });
          expect(own.lowBid).toBe(quote.bid);
          place = quote.number;
        }
        expect(place).toBe(all.length);
      }),
      propertySettings(500),
    );
  });

  test("quotes that wait trigger a standing order exactly when all quotes in order do [D5.triggers] [D5.trailing]", () => {
    fc.assert(
      fc.property(
        WALK,
        fc.array(fc.oneof(LEVEL, TRAILING), { minLength: 5, maxLength: 20 }),
        (sides, orders) => {
          const all = quotesOf(sides);
          const kept = mergedOf(all);
          for (const triggersAt of orders) expect(triggersAt(kept)).toBe(triggersAt(all));
        },
      ),
      propertySettings(5_000),
    );
  });
});
