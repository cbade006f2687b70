import { TRADES } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { matchesFilter, netPnlOf, pairsOf, tradeFilterOf, tradeTotals } from "./trade-filter.ts";

// EURUSD SHORT lost 500.00 and closed on 2026-01-06 at 14:00. ETHUSD LONG gained 981.70 and closed the day before.
const pairsShown = (search: Record<string, unknown>): readonly string[] =>
  TRADES.filter((trade) => matchesFilter(trade, tradeFilterOf(search))).map(
    ({ tradePair }) => tradePair,
  );

describe("filters of trades", () => {
  test.each([
    [{}, ["EURUSD", "ETHUSD"]],
    [{ pair: "ETHUSD" }, ["ETHUSD"]],
    [{ side: "SHORT" }, ["EURUSD"]],
    [{ result: "win" }, ["ETHUSD"]],
    [{ result: "loss" }, ["EURUSD"]],
    [{ status: "LIQUIDATED" }, []],
    [{ from: "2026-01-06" }, ["EURUSD"]],
    [{ to: "2026-01-05" }, ["ETHUSD"]],
    [{ from: "2026-01-05", to: "2026-01-06" }, ["EURUSD", "ETHUSD"]],
    [{ from: "2026-01-07" }, []],
    [{ side: "SHORT", result: "win" }, []],
  ])("the filter %j shows %j", (search, pairs) => {
    expect(pairsShown(search)).toEqual(pairs);
  });

  test.each([
    [{ side: "UP", result: 3, status: null, pair: "", from: "today", to: "2026-02-30" }],
    [{ other: "x" }],
    [{ pair: ["BTCUSD"], from: 20260105 }],
  ])("the address %j filters nothing", (search) => {
    expect(tradeFilterOf(search)).toEqual({});
  });

  test("a filter's day begins and ends at 00:00 UTC", () => {
    const [trade] = TRADES;
    if (trade === undefined) throw new Error("the examples hold trades");
    const day = { from: "2026-01-06", to: "2026-01-06" };
    const closedAt = (time: string) => ({ ...trade, closeTimeMs: Date.parse(time) });
    expect(matchesFilter(closedAt("2026-01-06T00:00:00.000Z"), day)).toBe(true);
    expect(matchesFilter(closedAt("2026-01-06T23:59:59.999Z"), day)).toBe(true);
    expect(matchesFilter(closedAt("2026-01-05T23:59:59.999Z"), day)).toBe(false);
    expect(matchesFilter(closedAt("2026-01-07T00:00:00.000Z"), day)).toBe(false);
  });
});

describe("totals of trades", () => {
  test("totals cover the shown trades, to the micro dollar", () => {
    expect(tradeTotals(TRADES)).toEqual({ count: 2, winRate: 50, netPnl: 481.7, fees: 18.3 });
    expect(TRADES.map(netPnlOf)).toEqual([-500, 981.7]);
  });

  test("totals have no win rate without a trade", () => {
    expect(tradeTotals([])).toEqual({ count: 0, winRate: null, netPnl: 0, fees: 0 });
  });

  test("a trade without fees is no win and no loss, and the totals are unknown", () => {
    const [first, ...others] = TRADES;
    if (first === undefined) throw new Error("the examples hold trades");
    const bare = { ...first, totalFees: null };
    expect(netPnlOf(bare)).toBeNull();
    expect([
      matchesFilter(bare, { result: "win" }),
      matchesFilter(bare, { result: "loss" }),
    ]).toEqual([false, false]);
    expect(tradeTotals([bare, ...others])).toEqual({
      count: 2,
      winRate: null,
      netPnl: null,
      fees: null,
    });
  });

  test("pairs are listed once, in order", () => {
    expect(pairsOf([...TRADES, ...TRADES])).toEqual(["ETHUSD", "EURUSD"]);
  });
});
