import { pairId, type Quote, type Session, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { madeCatalogue, madeInstrument } from "../testing/made-instrument.ts";
import { madeQuote } from "../testing/made-quote.ts";
import { createQuoteBoard, type OutlierFilter } from "./quote-board.ts";

const BTC = pairId("BTCUSD");
const FRIDAYS: Session = {
  id: "fridays",
  zone: "UTC",
  weekly: [{ fromDay: 5, fromMinute: 540, toDay: 5, toMinute: 1_020 }],
  holidays: new Set(),
  earlyCloses: new Map(),
};
const INSTRUMENTS = madeCatalogue(
  madeInstrument("BTCUSD"),
  madeInstrument("EURUSD", { session: FRIDAYS }),
);

function boardOf(outliers: OutlierFilter | null) {
  return createQuoteBoard({ outliers, instruments: INSTRUMENTS });
}

describe("quote board", () => {
  test("shows the newest quote of a pair and its age", () => {
    const board = boardOf(null);
    board.offer(madeQuote("BTCUSD", 100, 101, 1000), "feed");
    board.offer(madeQuote("BTCUSD", 102, 103, 2000), "feed");
    expect(board.quote(BTC)).toEqual(madeQuote("BTCUSD", 102, 103, 2000));
    expect(board.ageMs(BTC, unixMs(2500))).toBe(500);
    expect(board.ageMs(pairId("ETHUSD"), unixMs(2500))).toBeNull();
  });

  test("rejects and counts crossed and older quotes", () => {
    const board = boardOf(null);
    expect(board.offer(madeQuote("BTCUSD", 102, 101, 1000), "hand")).toBe("crossed");
    board.offer(madeQuote("BTCUSD", 100, 100, 1000), "feed");
    expect(board.offer(madeQuote("BTCUSD", 101, 102, 999), "feed")).toBe("older");
    expect(board.offer(madeQuote("BTCUSD", 101, 102, 1000), "feed")).toBe("accepted");
    expect(board.rejected()).toEqual({ crossed: 1, closed: 0, older: 1, outlier: 0 });
  });

  test("the session's last quote stays while the market is closed, until the next session's first [D10.closedMarkets]", () => {
    const board = boardOf(null);
    const heard: Quote[] = [];
    board.onQuote((quote) => void heard.push(quote));
    // 2026-01-02 is a Friday; the market is open from 09:00 to 17:00.
    const offer = (bid: number, at: string, origin: "feed" | "hand") =>
      board.offer(madeQuote("EURUSD", bid, bid, Date.parse(at)), origin);
    expect(offer(1.3, "2026-01-02T08:59:59.999Z", "hand")).toBe("closed");
    expect(board.quotes.size).toBe(0);
    expect(offer(1.1, "2026-01-02T09:00:00Z", "feed")).toBe("accepted");
    expect(offer(1.2, "2026-01-02T16:59:59.999Z", "hand")).toBe("accepted");
    expect(offer(0.5, "2026-01-02T17:00:00Z", "hand")).toBe("closed");
    expect(offer(0.5, "2026-01-03T12:00:00Z", "feed")).toBe("closed");
    expect(board.quote(pairId("EURUSD"))?.bid).toBe(1.2);
    expect(offer(1.25, "2026-01-09T09:00:00Z", "feed")).toBe("accepted");
    expect(heard.map(({ bid }) => bid)).toEqual([1.1, 1.2, 1.25]);
    expect(board.rejected()).toEqual({ crossed: 0, closed: 3, older: 0, outlier: 0 });
  });

  test("a quote of the session that comes after the close is the session's last one [D10.closedMarkets]", () => {
    const board = boardOf(null);
    expect(board.offer(madeQuote("EURUSD", 1, 1, Date.parse("2026-01-03T12:00:00Z")), "feed")).toBe(
      "closed",
    );
    expect(board.offer(madeQuote("EURUSD", 2, 2, Date.parse("2026-01-02T16:59:59Z")), "feed")).toBe(
      "accepted",
    );
  });

  test("accepts a distant price of a feed only when others confirm it", () => {
    const board = boardOf({ moveMax: 0.2, confirmedBy: 3 });
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

  test("accepts every quote given by an operator [D6.quotes]", () => {
    const board = boardOf({ moveMax: 0.2, confirmedBy: 3 });
    board.offer(madeQuote("BTCUSD", 100, 100, 1), "feed");
    expect(board.offer(madeQuote("BTCUSD", 9_000, 9_000, 2), "hand")).toBe("accepted");
  });

  test("stores the quotes since the last time, and takes over those that are not in the future", async () => {
    const stored = new Map<string, Quote>();
    let broken = true;
    const store = {
      load: async () => [...stored.values()],
      save: async (quotes: readonly Quote[]) => {
        if (broken) throw new Error("no database");
        for (const quote of quotes) stored.set(quote.pair, quote);
      },
    };
    const board = boardOf(null);
    board.offer(madeQuote("BTCUSD", 100, 101, 1000), "feed");
    await expect(board.save(store)).rejects.toThrow("no database");
    broken = false;
    await board.save(store);
    expect([...stored.values()]).toEqual([madeQuote("BTCUSD", 100, 101, 1000)]);
    const next = boardOf(null);
    await next.restore(store, unixMs(999));
    expect(next.quote(BTC)).toBeNull();
    await next.restore(store, unixMs(1000));
    expect(next.quote(BTC)).toEqual(madeQuote("BTCUSD", 100, 101, 1000));
  });
});
