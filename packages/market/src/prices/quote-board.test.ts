import { pairId, type Quote, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { madeNumberedQuote } from "../../../server/src/testing/made-numbered-quote.ts";
import { madeQuote } from "../../../server/src/testing/made-quote.ts";
import type { StoredQuote } from "../storage/quote-store.ts";
import { createQuoteBoard } from "./quote-board.ts";

const BTC = pairId("BTCUSD");

describe("quote board", () => {
  test("the quote board shows the newest quote of a pair and its age", () => {
    const board = createQuoteBoard();
    board.show(madeNumberedQuote({ number: 1, bid: 100, ask: 101, atMs: 1000 }));
    board.show(madeNumberedQuote({ number: 2, bid: 102, ask: 103, atMs: 2000 }));
    expect(board.quote(BTC)).toEqual(madeQuote("BTCUSD", 102, 103, 2000));
    expect(board.ageMs(BTC, unixMs(2500))).toBe(500);
    expect(board.ageMs(pairId("ETHUSD"), unixMs(2500))).toBeNull();
  });

  test("a number that it has shown or passed changes nothing, a later epoch begins again", () => {
    const board = createQuoteBoard();
    const heard: Quote[] = [];
    board.onQuote((quote) => void heard.push(quote));
    const show = (number: number, bid: number, epoch = 1) =>
      board.show(madeNumberedQuote({ number, bid, ask: bid, atMs: 1000, epoch }));
    expect([show(5, 10), show(5, 11), show(4, 12), show(6, 13)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect([show(1, 14, 2), show(7, 15, 1)]).toEqual([true, false]);
    expect(heard.map(({ bid }) => bid)).toEqual([10, 13, 14]);
    expect(board.quote(BTC)?.bid).toBe(14);
  });

  test("the quote board stores the quotes since the last time, and takes over those that are not in the future", async () => {
    const stored = new Map<string, StoredQuote>();
    let broken = true;
    const store = {
      load: async () => [...stored.values()],
      save: async (quotes: readonly StoredQuote[]) => {
        if (broken) throw new Error("no database");
        for (const one of quotes) stored.set(one.quote.pair, one);
      },
    };
    const board = createQuoteBoard();
    board.show(madeNumberedQuote({ number: 1, bid: 100, ask: 101, atMs: 1000 }));
    await expect(board.save(store)).rejects.toThrow("no database");
    broken = false;
    await board.save(store);
    const place = { epoch: 1, number: 1 };
    const quote = madeQuote("BTCUSD", 100, 101, 1000);
    expect([...stored.values()]).toEqual([{ quote, place, source: "replay" }]);
    const next = createQuoteBoard();
    await next.restore(store, unixMs(999));
    expect([next.quote(BTC), next.restored.size]).toEqual([null, 0]);
    await next.restore(store, unixMs(1000));
    expect(next.quote(BTC)).toEqual({ ...quote, standing: "stored" });
    expect(next.newest(BTC)?.source).toBe("replay");
    expect([...next.restored]).toEqual([[BTC, place]]);
  });

  test("a stored quote stays one through a halt, until the pair has another [D13.judges]", async () => {
    const board = createQuoteBoard();
    const quote = madeQuote("BTCUSD", 100, 101, 1000);
    const place = { epoch: 1, number: 1 };
    await board.restore(
      { load: async () => [{ quote, place, source: "replay" }], save: async () => undefined },
      unixMs(1000),
    );
    board.halt(BTC, "bus");
    expect(board.quote(BTC)?.standing).toBe("halted");
    board.lift(BTC, "bus");
    expect(board.quote(BTC)?.standing).toBe("stored");
    board.show(madeNumberedQuote({ number: 1, bid: 100, ask: 101, atMs: 1000, epoch: 2 }));
    expect(board.quote(BTC)?.standing).toBeUndefined();
  });

  test("the quote of a halt stays halted after it, until the pair has another, unless only the bus was cut [D13.judges] [D13.afterHalt]", () => {
    const board = createQuoteBoard();
    board.show(madeNumberedQuote({ number: 1, bid: 100, ask: 101, atMs: 1000 }));
    for (const cause of ["operator", "sources"] as const) {
      board.halt(BTC, cause);
      board.lift(BTC, cause);
      expect(board.quote(BTC)?.standing).toBe("halted");
    }
    board.show(madeNumberedQuote({ number: 2, bid: 100, ask: 101, atMs: 1001 }));
    expect(board.quote(BTC)?.standing).toBeUndefined();
    board.halt(BTC, "bus");
    board.lift(BTC, "bus");
    expect(board.quote(BTC)?.standing).toBeUndefined();
  });
});
