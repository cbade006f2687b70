import { describe, expect, test } from "vitest";
import { equityOf } from "../account/equity.ts";
import type { AccountState } from "../state/account.ts";
import { CLASSIC_TERMS } from "../testing/catalogue.ts";
import {
  createTestAccount,
  createTestMarket,
  createTestPosition,
  TEST_TIME_MS,
} from "../testing/test-account.ts";
import { percent, ratio, roundUsd, unixMs } from "../units.ts";
import { type DrawdownOutlook, drawdownOutlook, type LimitOutlook } from "./outlook.ts";
import { drawdownOf } from "./registry.ts";

const MARKET = createTestMarket({ BTCUSD: 50_000, EURUSD: 1.1, USDJPY: 150, EURJPY: 165 });
/** The end of the day 2023-11-14, which is the day in progress of `madeAccount`. */
const MIDNIGHT = unixMs(1_700_006_400_000);

type OutlookFigures = Omit<LimitOutlook, "rule">;

/** The figures of the two limits of an account that `madeAccount` returned, the daily loss limit first. */
function figuresByRule(outlook: DrawdownOutlook): {
  readonly dailyLoss: OutlookFigures;
  readonly maxLoss: OutlookFigures;
} {
  const [dailyLoss, maxLoss] = outlook.map(({ rule: _rule, ...rest }) => rest);
  if (dailyLoss === undefined || maxLoss === undefined)
    throw new Error("two limits bind the account");
  return { dailyLoss, maxLoss };
}

function outlook(
  changes: Partial<AccountState>,
  market = MARKET,
): ReturnType<typeof figuresByRule> {
  const state = createTestAccount(changes);
  const equity = equityOf(state, market);
  const figures = drawdownOf(state, equity.ok ? equity.value : roundUsd(100_000));
  return figuresByRule(drawdownOutlook(state, figures, market));
}

const btc = (direction: "long" | "short", lots: number) =>
  createTestPosition({ pair: "BTCUSD", direction, lots, entry: 50_000 });
const yen = (direction: "long" | "short", lots = 1) =>
  createTestPosition({ pair: "USDJPY", direction, lots, entry: 150 });

describe("the breach price of a limit [D4.outlook]", () => {
  test.each([
    // A limit of 5 % on 100,000 allows a loss of 5,000. Two units lose it when the price moves by 5,000 / 2 = 2,500.
    ["a long breaches below its entry", btc("long", 2), 47_500],
    ["a short breaches above its entry", btc("short", 2), 52_500],
    // One lot is 100,000 EUR, so it loses 5,000 when the price moves by 0.05.
    [
      "a lot of EURUSD breaches 0.05 below its entry",
      createTestPosition({ pair: "EURUSD", direction: "long", lots: 1, entry: 1.1 }),
      1.05,
    ],
    // At a price p, a long unit of USDJPY has gained 1 − 150 / p USD. So a long has lost 0.05 at 150 / 1.05, and a
    // short at 150 / 0.95.
    ["a long that buys dollars breaches below its entry", yen("long"), 142.857142857],
    ["a short that sells dollars breaches above its entry", yen("short"), 157.894736842],
    // A yen is 1 / 150 USD, so 100,000 EUR lose 5,000 USD when the price moves by 7.5 yen.
    [
      "a short of a cross breaches above its entry",
      createTestPosition({ pair: "EURJPY", direction: "short", lots: 1, entry: 165 }),
      172.5,
    ],
    ["0.1 bitcoin, worth 5,000, never breaches", btc("long", 0.1), null],
    ["0.05 lot of USDJPY, always worth 5,000 dollars, never breaches", yen("short", 0.05), null],
  ])("%s", (_, position, breachPrice) => {
    const { dailyLoss, maxLoss } = outlook({ positions: [position] });
    expect(maxLoss.breachPrice).toBe(breachPrice);
    expect(dailyLoss).toEqual(maxLoss);
  });

  test("each limit has its own breach price: the daily floor is 98,800, the static floor 95,000", () => {
    const day = { startMs: unixMs(0), startEquity: roundUsd(104_000), earlierReturn: ratio(0) };
    // The balance is 103,960. It is 5,160 above the daily floor and 8,960 above the static floor.
    const money = { realized: roundUsd(4_000), fees: roundUsd(40) };
    const two = outlook({ ...money, day, positions: [btc("long", 2)] });
    expect(two.dailyLoss.breachPrice).toBe(47_420);
    expect(two.maxLoss.breachPrice).toBe(45_520);
  });

  test("an account without a position or with two positions has no breach price", () => {
    const none = { nextCheckMs: null, breachPrice: null, breachMovePct: null };
    expect(outlook({})).toEqual({ dailyLoss: none, maxLoss: none });
    expect(outlook({ positions: [btc("long", 2), yen("long")] }).maxLoss.breachPrice).toBeNull();
  });

  test("a position of an unknown pair or without a rate has no breach price", () => {
    const gone = createTestPosition({ pair: "GONEUSD", direction: "long", lots: 1, entry: 100 });
    const cross = createTestPosition({ pair: "EURJPY", direction: "long", lots: 1, entry: 165 });
    for (const position of [gone, cross]) {
      const { maxLoss } = outlook({ positions: [position] }, createTestMarket({ EURJPY: 165 }));
      expect([maxLoss.breachPrice, maxLoss.breachMovePct]).toEqual([null, null]);
    }
  });

  test("the breach price has at most twelve digits when the micro dollar stays the same", () => {
    // The price may fall by 5,000 / 0.3 = 16,666.6666…
    expect(outlook({ positions: [btc("long", 0.3)] }).maxLoss.breachPrice).toBe(33333.3333333);
  });
});

describe("the move of all prices that breaches a limit [D12.breachMove]", () => {
  const btcAndYen = [btc("long", 1), yen("short", 1)];

  test.each([
    // Two units at 50,000 are worth 100,000, and 5,000 is 5 % of it.
    ["two bitcoin lose 5,000 at 5 %", [btc("long", 2)], 5],
    ["a short loses the same by a rise", [btc("short", 2)], 5],
    // The positions are worth 50,000 in bitcoin and 110,000 in euros.
    [
      "a long and a short of different pairs lose together",
      [
        btc("long", 1),
        createTestPosition({ pair: "EURUSD", direction: "short", lots: 1, entry: 1.1 }),
      ],
      3.125,
    ],
    // The move m is the solution of 100,000 × m / (1 − m) = 5,000.
    ["a long that buys dollars converts at the lower price", [yen("long")], 4.7619047619],
    // The move m is the solution of 100,000 × m / (1 + m) = 5,000.
    ["a short that sells dollars converts at the higher price", [yen("short")], 5.26315789474],
    // The move m is the solution of 50,000 × m + 100,000 × m / (1 + m) = 5,000, which is 10 m² + 29 m − 1 = 0.
    ["linear and converting losses add up", btcAndYen, 3.40822079656],
    // 100,000 EUR at 165 are 16,500,000 yen, which are worth 110,000 dollars at the present rate of 150.
    [
      "a cross keeps the rate of now",
      [createTestPosition({ pair: "EURJPY", direction: "long", lots: 1, entry: 165 })],
      4.54545454545,
    ],
    ["a long that is worth 5,000 never loses more than 5,000", [btc("long", 0.1)], null],
    ["5,000 sold dollars never lose 5,000", [yen("short", 0.05)], null],
    // The long is worth 4,000 and loses at most that. The short is worth 550 and loses the remaining 1,000 at a move of
    // 1,000 / 550.
    [
      "only the short goes on beyond 100 %",
      [
        btc("long", 0.08),
        createTestPosition({ pair: "EURUSD", direction: "short", lots: 0.005, entry: 1.1 }),
      ],
      181.818181818,
    ],
  ])("%s", (_, positions, pct) => {
    const { dailyLoss, maxLoss } = outlook({ positions });
    expect(maxLoss.breachMovePct).toBe(pct);
    expect(dailyLoss.breachMovePct).toBe(pct);
  });

  test("a short that is worth almost nothing has no move that counts [D10.exactMoney]", () => {
    const small = createTestPosition({
      pair: "BTCUSD",
      direction: "short",
      lots: 0.0002,
      entry: 50_000,
    });
    const fallen = outlook({ positions: [small] }, createTestMarket({ BTCUSD: 1e-9 }));
    expect(fallen.maxLoss.breachMovePct).toBe(null);
  });

  test("each limit has its own move, and an account below its floor needs none", () => {
    const day = { startMs: unixMs(0), startEquity: roundUsd(104_000), earlierReturn: ratio(0) };
    // The balance is 103,960. It is 5,160 above the daily floor and 8,960 above the static floor, and the position is
    // worth 100,000.
    const money = { realized: roundUsd(4_000), fees: roundUsd(40) };
    const two = outlook({ ...money, day, positions: [btc("long", 2)] });
    expect([two.dailyLoss.breachMovePct, two.maxLoss.breachMovePct]).toEqual([5.16, 8.96]);
    const below = outlook({ fees: roundUsd(6_000), positions: [btc("long", 2)] });
    expect(below.dailyLoss.breachMovePct).toBe(0);
  });

  test("a day that begins in debt has no floor to breach", () => {
    const day = { startMs: unixMs(0), startEquity: roundUsd(-100), earlierReturn: ratio(0) };
    const { dailyLoss } = outlook({ day, positions: [btc("long", 2)] });
    expect(dailyLoss).toEqual({ nextCheckMs: null, breachPrice: null, breachMovePct: null });
  });
});

describe("the limit that is checked at midnight [D4.outlook]", () => {
  const terms = { ...CLASSIC_TERMS, criteria: "trailing" as const };
  const positions = [btc("long", 2)];

  test("the limit is measured from the highest midnight: 8 % below 110,000 is 101,200", () => {
    const account = {
      terms: { ...terms, challenge: { ...CLASSIC_TERMS.challenge, maxLossPct: percent(8) } },
      endOfDay: { equity: roundUsd(103_000), highWater: roundUsd(110_000) },
      realized: roundUsd(5_000),
      positions,
    };
    // The balance is 105,000, which is 3,800 above the floor of 101,200, so the two units may lose 3,800.
    expect(outlook(account).maxLoss).toEqual({
      nextCheckMs: MIDNIGHT,
      breachPrice: 48_100,
      breachMovePct: null,
    });
  });

  test("the next check is at the end of the day in progress; the daily limit has no check time", () => {
    const { dailyLoss, maxLoss } = outlook({ terms });
    expect([dailyLoss.nextCheckMs, maxLoss.nextCheckMs]).toEqual([null, MIDNIGHT]);
    expect(MIDNIGHT - TEST_TIME_MS).toBeLessThan(86_400_000);
  });

  test("an account that has ended is not checked again", () => {
    expect(outlook({ terms, status: "eliminated" }).maxLoss.nextCheckMs).toBeNull();
  });
});
