import type { CandleItem } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { type Bar, barRange, barsOf, withQuote } from "./candle-series.ts";

const START = 1_767_614_400_000;
const flat = (price: number) => ({ open: price, high: price, low: price, close: price });
const candle: CandleItem = {
  startMs: START,
  bid: { open: 10, high: 12, low: 9, close: 11 },
  ask: flat(13),
  mid: flat(12),
  quoteCount: 4,
  isComplete: false,
};
const last: Bar = { second: START / 1000, open: 10, high: 12, low: 9, close: 11 };
const FIVE = { interval: "5m", side: "bid" } as const;
const at = (ms: number, bid: number) => ({ bid, ask: bid + 1, atMs: START + ms });

describe("the bars of a price chart", () => {
  test("a bar has the prices of its side", () => {
    expect(barsOf([candle], "bid")).toEqual([last]);
    expect(barsOf([candle], "ask")).toEqual([{ second: START / 1000, ...flat(13) }]);
  });

  test.each([
    ["extends the running bar upwards", at(299_999, 14), [{ ...last, high: 14, close: 14 }]],
    ["extends the running bar downwards", at(0, 8), [{ ...last, low: 8, close: 8 }]],
    ["begins the next bar", at(300_000, 14), [last, { second: START / 1000 + 300, ...flat(14) }]],
    ["of an earlier bar changes nothing", at(-1, 14), [last]],
    ["is absent and changes nothing", null, [last]],
  ])("a live quote %s", (_, quote, bars) => {
    expect(withQuote([last], quote, FIVE)).toEqual(bars);
  });

  test("a live quote alone is no history", () => {
    expect(withQuote([], at(0, 8), FIVE)).toEqual([]);
    expect(barRange([])).toBeNull();
  });

  test("the range covers every bar", () => {
    const next = { second: START / 1000 + 300, ...flat(14) };
    expect(barRange([last, next])).toEqual({ lowest: 9, highest: 14 });
  });
});
