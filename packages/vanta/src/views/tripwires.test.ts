import { describe, expect, test } from "vitest";
import { MADE_INFO_SECTION, madeOrder, madePosition } from "../testing/made-dashboard.ts";
import { madeAccount, madeReadings } from "../testing/made-readings.ts";
import { readRecordedPairs } from "../testing/recorded-subaccount.ts";
import { linkedPendingOrdersView } from "./pending-orders.ts";
import { linkedPositionsView } from "./positions.ts";
import { linkedTradesView } from "./trades.ts";

const MS = 1_794_900_000_000;
const pairs = readRecordedPairs();

const fill = (
  type: string,
  q: number | null,
  after: number,
  more = {},
): Record<string, unknown> => ({
  t: type,
  e: "MARKET",
  p: MS + after,
  q,
  v: 100,
  ...more,
});

/** The net quantity of a LONG or SHORT with these fills. */
function netQuantityOf(type: "LONG" | "SHORT", fills: readonly Record<string, unknown>[]) {
  const fo = Object.fromEntries(fills.map((one, index) => [`f${index}`, one])) as never;
  const { readings } = madeReadings({
    positions: { positions: { p1: madePosition(MS, { t: type, fo }) } },
  });
  return linkedPositionsView({ readings, isStale: false }, pairs)[0]?.netQuantity;
}

describe("the traps of the network's dashboard", () => {
  test("the leverage's base is the balance, that of PnL the account size", () => {
    const { account } = madeAccount(
      madeReadings({
        account_size_data: { balance: 50_000, equity: 51_000, unrealized_pnl: 1_000 },
        positions: { positions: { p1: madePosition(MS, { nv: -25_000, nl: -0.25 }) } },
      }),
    );
    expect(account.currentLeverage).toBe(0.5);
    expect([account.balanceChangePercent, account.openPnLPercent]).toEqual([-50, 1]);
  });

  test("the pro criteria come from the bucket, not from the account's own criteria", () => {
    const at = (bucket: string) =>
      madeAccount(
        madeReadings({
          subaccount_info: { ...MADE_INFO_SECTION, drawdown_criteria: "static" },
          challenge_period: { bucket },
          drawdown: {
            criteria: "static",
            eod_drawdown_threshold: 0.08,
            static_drawdown_threshold: 0.05,
          },
        }),
      );
    const [pro, transition] = [at("PRO_FUNDED"), at("PRO_CHALLENGE_TRANSITION")];
    expect(pro.drawdownRules).toMatchObject({
      criteria: "pro",
      maxLoss: { rule: "eod_trailing", limitPct: 8 },
    });
    expect(pro.challenge.drawdownCriteria).toBe("trailing");
    expect(transition.drawdownRules).toMatchObject({
      criteria: "static",
      maxLoss: { rule: "static", limitPct: 5 },
    });
  });

  test("a percent below 0 is a profit: nothing of the limit is used", () => {
    const { drawdownRules } = madeAccount(
      madeReadings({
        drawdown: {
          criteria: "trailing",
          current_equity: 1.02,
          daily_open_equity: 1.01,
          intraday_drawdown_pct: -0.99,
          intraday_drawdown_threshold: 0.05,
        },
      }),
    );
    expect(drawdownRules?.dailyLoss).toMatchObject({
      usedPct: 0,
      limitPct: 5,
      dayStartEquity: 101_000,
      remaining: 5_050,
    });
  });

  test("the day's start equity is null before the first midnight, not the size", () => {
    const { drawdownRules } = madeAccount(
      madeReadings({
        drawdown: { daily_open_equity: null, current_equity: 1, intraday_drawdown_threshold: 0.05 },
      }),
    );
    expect(drawdownRules?.dailyLoss).toMatchObject({
      dayStartEquity: null,
      remaining: null,
      limitPct: 5,
    });
  });

  test("a closed position is FLAT: its direction is its first fill's, in the order of times", () => {
    const { records } = madeReadings({
      positions: {
        positions: {
          p1: madePosition(MS, {
            t: "FLAT",
            c: MS + 9,
            fo: {
              z: fill("FLAT", 1, 9) as never,
              b: fill("LONG", 2, 5) as never,
              a: fill("SHORT", 3, 0) as never,
            },
          }),
        },
      },
    });
    expect(linkedTradesView(records, pairs)[0]).toMatchObject({
      positionType: "SHORT",
      quantity: -3,
    });
  });

  test.each<["LONG" | "SHORT", string, readonly Record<string, unknown>[], number | null]>([
    [
      "LONG",
      "adds and reduces",
      [fill("LONG", 0.1, 0), fill("LONG", 0.2, 1), fill("SHORT", 0.1, 2)],
      0.2,
    ],
    ["SHORT", "with negative sizes", [fill("SHORT", -2, 0), fill("LONG", 0.5, 1)], -1.5],
    ["SHORT", "with positive sizes", [fill("SHORT", 2, 0), fill("LONG", 0.5, 1)], -1.5],
    ["LONG", "never flips", [fill("LONG", 1, 0), fill("SHORT", 5, 1)], 0],
    [
      "LONG",
      "a leg reduces, although it is recorded as LONG",
      [fill("LONG", 1, 0), fill("LONG", 0.4, 1, { e: "BRACKET" })],
      0.6,
    ],
    [
      "SHORT",
      "a leg of a SHORT reduces",
      [fill("SHORT", -1, 0), fill("SHORT", -0.4, 1, { e: "BRACKET" })],
      -0.6,
    ],
    [
      "LONG",
      "FLAT closes everything before it",
      [fill("LONG", 1, 0), fill("FLAT", null, 1), fill("LONG", 2, 2)],
      2,
    ],
    ["LONG", "a fill without a quantity", [fill("LONG", 1, 0), fill("LONG", null, 1)], null],
    [
      "LONG",
      "a fill without its kind",
      [fill("LONG", 1, 0), fill("LONG", 1, 1, { e: null })],
      null,
    ],
  ])("the quantity of a %s comes from its fills: %s", (type, _, fills, expected) => {
    expect(netQuantityOf(type, fills)).toBe(expected);
  });

  test("no fills are no quantity", () => {
    const { readings } = madeReadings({
      positions: { positions: { p1: madePosition(MS, { fo: {} }) } },
    });
    expect(linkedPositionsView({ readings, isStale: false }, pairs)[0]).toMatchObject({
      netQuantity: null,
      cumulativeEntryValue: null,
    });
  });

  test("value and leverage that are absent at an open position are unknown, not 0", () => {
    const { readings } = madeReadings({ positions: { positions: { p1: madePosition(MS) } } });
    expect(linkedPositionsView({ readings, isStale: false }, pairs)[0]).toMatchObject({
      netValue: null,
      netLeverage: null,
    });
  });

  test("a pair that the network does not list keeps its display form as its id", () => {
    const { readings } = madeReadings({
      positions: { positions: { p1: madePosition(MS, { tp: "NEW/USDC" }) } },
    });
    expect(linkedPositionsView({ readings, isStale: false }, pairs)[0]?.tradePair).toBe("NEW/USDC");
    expect(linkedPositionsView({ readings, isStale: false }, null)[0]?.tradePair).toBe("NEW/USDC");
  });

  test.each([
    ["of the position", "leg", MS + 1, "p1"],
    ["of an earlier position of the pair", "leg", MS - 1, null],
    ["that came with an older entry order", "fill-1-bracket-0", MS - 1, "p1"],
  ])("a leg %s belongs to %#", (_, uuid, processedMs, positionUuid) => {
    const { readings } = madeReadings({
      positions: { positions: { p1: madePosition(MS) } },
      limit_orders: {
        open_orders: { [uuid]: madeOrder(processedMs, { e: "BRACKET", lp: null, sl: 5 }) },
      },
    });
    expect(linkedPendingOrdersView(readings, pairs)[0]).toMatchObject({
      orderUuid: uuid,
      positionUuid,
      reduceOnly: true,
    });
  });

  test("a forced close is told by its order's id or its cause, and a slippage is no cause", () => {
    const statusOf = (uuid: string, s: number | null) => {
      const fo = { a: fill("LONG", 1, 0) as never, [uuid]: fill("FLAT", 1, 1, { s }) as never };
      const { records } = madeReadings({
        positions: { positions: { p1: madePosition(MS, { t: "FLAT", c: MS + 1, fo }) } },
      });
      return linkedTradesView(records, pairs)[0]?.status;
    };
    expect([
      statusOf("p1-close-1", null),
      statusOf("p1-close-3", null),
      statusOf("x", 1),
      statusOf("x", 3),
      // These are not eliminations: a promotion, a close of all positions, a slippage, and no cause.
      statusOf("p1-close-12", 12),
      statusOf("p1-flat-all", 11),
      statusOf("x", 0.0001),
      statusOf("x", null),
    ]).toEqual([
      "LIQUIDATED",
      "LIQUIDATED",
      "LIQUIDATED",
      "LIQUIDATED",
      "CLOSED",
      "CLOSED",
      "CLOSED",
      "CLOSED",
    ]);
  });

  test("fees lower the balance but are in no PnL: a win is what is left after them", () => {
    const { records, readings } = madeReadings({
      positions: {
        positions: {
          p1: madePosition(MS, {
            t: "FLAT",
            c: MS + 1,
            rp: 5,
            fh: { [String(MS)]: { t: "transaction", a: 5 } },
          }),
        },
      },
    });
    expect(linkedTradesView(records, pairs)[0]).toMatchObject({ realizedPnl: 5, totalFees: 5 });
    expect(madeAccount({ records, readings }).performance).toMatchObject({
      totalWins: 0,
      winRate: 0,
      avgTradePnL: 0,
    });
  });

  test("a fee history that is absent means no fees only where fills are free", () => {
    const feesOf = (tp: string): number | null | undefined =>
      linkedTradesView(
        madeReadings({
          positions: { positions: { p1: madePosition(MS, { tp, t: "FLAT", c: MS + 1 }) } },
        }).records,
        pairs,
      )[0]?.totalFees;
    expect([
      feesOf("EUR/USD"),
      feesOf("XYZ100/USDC"),
      feesOf("BTC/USDC"),
      feesOf("NEW/USDC"),
    ]).toEqual([0, 0, null, null]);
  });

  test("a challenge has no clock: its days are 0", () => {
    const { challenge } = madeAccount(
      madeReadings({ challenge_period: { bucket: "SUBACCOUNT_CHALLENGE" } }),
    );
    expect([challenge.totalDays, challenge.daysRemaining]).toEqual([0, 0]);
  });
});
