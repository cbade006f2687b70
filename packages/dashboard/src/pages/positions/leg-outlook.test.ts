import { type MarketView, PENDING_ORDERS, POSITIONS } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import {
  entryOutlook,
  levelOutlook,
  markOf,
  shareOf,
  stopPriceOf,
  trailingOf,
} from "./leg-outlook.ts";

const [long] = POSITIONS;
const [leg, entry] = PENDING_ORDERS;
if (long === undefined || leg === undefined || entry === undefined) {
  throw new Error("the examples have a position, its leg and an entry");
}

const MARKET: MarketView = {
  pair: "BTCUSD",
  quote: { bid: 91_000, ask: 91_010, atMs: 1_767_780_000_000 },
  isStale: false,
  isOpen: true,
};

describe("the mark", () => {
  test("the mark is the bid for a LONG and the ask for a SHORT", () => {
    expect(markOf("LONG", MARKET)).toBe(91_000);
    expect(markOf("SHORT", MARKET)).toBe(91_010);
  });

  test("the mark is unknown without a quote", () => {
    expect(markOf("LONG", { ...MARKET, quote: null })).toBeNull();
    expect(markOf("LONG", undefined)).toBeNull();
  });
});

describe("a stop or target", () => {
  test("half a bitcoin bought at 90,000 loses 1,000 at a stop of 88,000 and gains 2,500 at a target of 95,000", () => {
    const stop = levelOutlook({ position: long, price: 88_000, mark: 91_000, share: 1 });
    expect(stop).toMatchObject({ distance: -3_000, price: 88_000 });
    expect(stop.distancePct).toBeCloseTo(-3.2967, 4);
    expect(stop.pnl).toBeCloseTo(-1_000, 6);
    const target = levelOutlook({ position: long, price: 95_000, mark: 91_000, share: 0.5 });
    expect(target.pnl).toBeCloseTo(1_250, 6);
  });

  test("the profit is unknown without the entry price", () => {
    const bare = { ...long, averageEntryPrice: null };
    const at = levelOutlook({ position: bare, price: 88_000, mark: 91_000, share: 1 });
    expect(at).toMatchObject({ distance: -3_000, pnl: null });
  });

  test("a target of a SHORT gains below its entry", () => {
    const short = { ...long, positionType: "SHORT" as const, netValue: -45_500 };
    const at = levelOutlook({ position: short, price: 89_000, mark: 91_000, share: 1 });
    expect(at.pnl).toBeCloseTo(500, 6);
  });

  test("a leg of a pair with base USD converts at its own price", () => {
    const yen = {
      ...long,
      tradePairDisplay: "USD/JPY",
      netValue: 100_000,
      averageEntryPrice: 150,
    };
    const at = levelOutlook({ position: yen, price: 151.5, mark: 152, share: 1 });
    expect(at.pnl).toBeCloseTo(990.09901, 5);
  });

  test("the outcome of a leg is unknown without a price", () => {
    const at = levelOutlook({ position: long, price: 88_000, mark: null, share: 1 });
    expect(at).toEqual({ price: 88_000, distance: null, distancePct: null, pnl: null });
  });
});

describe("a leg", () => {
  test("a leg closes the whole position unless it has a size", () => {
    expect(shareOf(leg, long)).toBe(1);
    expect(shareOf({ ...leg, bracketPct: 0.25 }, long)).toBe(0.25);
    expect(shareOf({ ...leg, quantity: 0.1 }, long)).toBe(0.2);
    expect(shareOf({ ...leg, quantity: 9 }, long)).toBe(1);
    expect(shareOf({ ...leg, value: 1_000 }, { ...long, netValue: null })).toBeNull();
  });

  test("a trailing leg has its own stop", () => {
    const trailing = { ...leg, stopLoss: null, trailingPercent: 0.02, currentStop: 88_200 };
    expect(stopPriceOf(trailing, long, [trailing, leg])).toBe(88_200);
  });

  test("a trailing leg of a linked account has the stop of its position if it is the only stop", () => {
    const trailing = { ...leg, stopLoss: null, trailingPercent: 0.02 };
    expect(stopPriceOf(trailing, long, [trailing])).toBe(88_000);
    expect(stopPriceOf(trailing, long, [trailing, leg])).toBeNull();
    expect(stopPriceOf(leg, long, [trailing, leg])).toBe(88_000);
    expect(trailingOf(trailing)).toEqual({ percent: 2 });
    expect(trailingOf(leg)).toBeNull();
  });
});

describe("an entry", () => {
  const quote = { bid: 2_990, ask: 3_000, atMs: 0 };

  test("an entry that buys at a limit is compared with the ask, and one that sells with the bid", () => {
    expect(entryOutlook(entry, { ...MARKET, quote })).toMatchObject({
      price: 2_900,
      market: 3_000,
    });
    const sale = { ...entry, orderType: "SHORT" as const };
    expect(entryOutlook(sale, { ...MARKET, quote })).toMatchObject({ market: 2_990 });
  });

  test("an entry with a stop is compared with the mid price", () => {
    const stop = { ...entry, stopPrice: 3_100 };
    expect(entryOutlook(stop, { ...MARKET, quote })).toMatchObject({ price: 3_100, market: 2_995 });
  });

  test("an entry has no distance without a quote", () => {
    expect(entryOutlook(entry, undefined)).toBeNull();
  });
});
