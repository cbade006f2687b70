import { describe, expect, test } from "vitest";
import { readBookTops } from "./book-tops.ts";

describe("the best bid and ask in a result of ccxt", () => {
  test.each([
    ["a ticker", { symbol: "A/B", bid: 1, ask: 2, timestamp: 5 }, [5]],
    ["a ticker without time", { symbol: "A/B", bid: 1, ask: 2, timestamp: undefined }, [null]],
    [
      "a ticker whose time is only in the raw message",
      { symbol: "A/B", bid: 1, ask: 2, info: { timestamp: "2026-01-07T12:00:00.123456Z" } },
      [1_767_787_200_123],
    ],
    ["a book", { symbol: "A/B", bids: [[1, 9]], asks: [[2, 9]], timestamp: 5 }, [5]],
    ["tickers by symbol", { "A/B": { symbol: "A/B", bid: 1, ask: 2, timestamp: 7 } }, [7]],
    ["a ticker without an ask", { symbol: "A/B", bid: 1, ask: undefined }, []],
    ["a book without asks", { symbol: "A/B", bids: [[1, 9]], asks: [] }, []],
    ["a price of zero", { symbol: "A/B", bid: 0, ask: 2 }, []],
    ["a price that is no number", { symbol: "A/B", bid: Number.NaN, ask: 2 }, []],
    ["text", "A/B", []],
    ["nothing", undefined, []],
  ])("readBookTops reads the best bid and ask in %s", (_name, result, times) => {
    expect(readBookTops(result)).toEqual(
      times.map((madeAtMs) => ({ symbol: "A/B", bid: 1, ask: 2, madeAtMs })),
    );
  });
});
