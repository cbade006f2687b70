import { pairId, type Quote, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { madeQuote } from "../testing/made-quote.ts";
import { createQuoteBoard } from "./quote-board.ts";

const BTC = pairId("BTCUSD");

describe("quote board", () => {
  test("shows the newest quote of a pair and its age", () => {
    const board = createQuoteBoard({ outliers: null });
    board.offer(madeQuote("BTCUSD", 100, 101, 1000), "feed");
    board.offer(madeQuote("BTCUSD", 102, 103, 2000), "feed");
    expect(board.quote(BTC)).toEqual(madeQuote("BTCUSD", 102, 103, 2000));
    expect(board.ageMs(BTC, unixMs(2500))).toBe(500);
    expect(board.ageMs(pairId("ETHUSD"), unixMs(2500))).toBeNull();
  });

  test("turns crossed and older quotes away, and counts them", () => {
    const board = createQuoteBoard({ outliers: null });
    expect(board.offer(madeQuote("BTCUSD", 102, 101, 1000), "hand")).toBe("crossed");
    board.offer(madeQuote("BTCUSD", 100, 100, 1000), "feed");
    expect(board.offer(madeQuote("BTCUSD", 101, 102, 999), "feed")).toBe("older");
    expect(board.offer(madeQuote("BTCUSD", 101, 102, 1000), "feed")).toBe("accepted");
    expect(board.turnedAway()).toEqual({ crossed: 1, older: 1, outlier: 0 });
  });

  test("believes a far price of a feed only when others confirm it", () => {
    const board = createQuoteBoard({ outliers: { mostMove: 0.2, confirmedBy: 3 } });
    const at = (bid: number, ms: number) => board.offer(madeQuote("BTCUSD", bid, bid, ms), "feed");
    expect(at(100, 1)).toBe("accepted");
    expect(at(500, 2)).toBe("outlier");
    expect(at(101, 3)).toBe("accepted");
    expect([at(50, 4), at(51, 5), at(49, 6), at(50, 7)]).toEqual([
      "outlier",
      "outlier",
      "accepted",
      "accepted",
    ]);
  });

  test("believes every quote given by hand [D6.quotes]", () => {
    const board = createQuoteBoard({ outliers: { mostMove: 0.2, confirmedBy: 3 } });
    board.offer(madeQuote("BTCUSD", 100, 100, 1), "feed");
    expect(board.offer(madeQuote("BTCUSD", 9_000, 9_000, 2), "hand")).toBe("accepted");
  });

  test("stores what has come since the last time, and takes over what is not from the future", async () => {
    const stored = new Map<string, Quote>();
    let broken = true;
    const store = {
      load: async () => [...stored.values()],
      save: async (quotes: readonly Quote[]) => {
        if (broken) throw new Error("no database");
        for (const quote of quotes) stored.set(quote.pair, quote);
      },
    };
    const board = createQuoteBoard({ outliers: null });
    board.offer(madeQuote("BTCUSD", 100, 101, 1000), "feed");
    await expect(board.save(store)).rejects.toThrow("no database");
    broken = false;
    await board.save(store);
    expect([...stored.values()]).toEqual([madeQuote("BTCUSD", 100, 101, 1000)]);
    const next = createQuoteBoard({ outliers: null });
    await next.restore(store, unixMs(999));
    expect(next.quote(BTC)).toBeNull();
    await next.restore(store, unixMs(1000));
    expect(next.quote(BTC)).toEqual(madeQuote("BTCUSD", 100, 101, 1000));
  });
});
