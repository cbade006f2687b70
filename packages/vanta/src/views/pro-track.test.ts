import { describe, expect, test } from "vitest";
import type { Literal } from "../python-literal.ts";
import { MADE_INFO_SECTION } from "../testing/made-dashboard.ts";
import { madeAccount, madeReadings } from "../testing/made-readings.ts";

const STATISTICS = {
  calmar: 1.75,
  daily_consistency: 0.2,
  max_drawdown: 0.976,
  trading_days: 90,
  calmar_threshold: 1.75,
  daily_consistency_threshold: 0.2,
  returns_threshold: 0.06,
  minimum_trading_days: 90,
  soft_breach_applies: true,
  soft_breach: false,
};

function trackOf(changes: Readonly<Record<string, Literal>>, bucket = "PRO_CHALLENGE_DIRECT") {
  return madeAccount(
    madeReadings({
      subaccount_info: {
        ...MADE_INFO_SECTION,
        standard_account_size: 50_000,
        pro_account_size: 100_000,
      },
      challenge_period: { bucket },
      account_size_data: { balance: 106_000, equity: 107_000 },
      pro_stats: { ...STATISTICS, ...changes },
    }),
  ).proTrack;
}

const metOf = (changes: Readonly<Record<string, Literal>>) =>
  trackOf(changes)?.objectives.map(({ met }) => met);

describe("the pro track of a linked account [S2.1.1]", () => {
  test("every objective is met exactly at the thresholds", () => {
    expect(trackOf({})?.objectives.map(({ key, value, met }) => [key, value, met])).toEqual([
      ["return", 0.06, true],
      ["calmar", 1.75, true],
      ["consistency", 0.2, true],
      ["days", 90, true],
    ]);
  });

  test.each<[string, Readonly<Record<string, Literal>>, readonly (boolean | null)[]]>([
    ["a higher return threshold", { returns_threshold: 0.060001 }, [false, true, true, true]],
    ["a lower calmar", { calmar: 1.749 }, [true, false, true, true]],
    [
      "a higher consistency, which is worse",
      { daily_consistency: 0.201 },
      [true, true, false, true],
    ],
    ["one day less", { trading_days: 89 }, [true, true, true, false]],
    ["no threshold of calmar", { calmar_threshold: null }, [true, null, true, true]],
    ["no consistency", { daily_consistency: null }, [true, true, null, true]],
    ["no threshold of days", { minimum_trading_days: null }, [true, true, true, null]],
    // Return and trading days have a verdict from the first day on.
    ["no full day yet", { trading_days: 0 }, [true, null, null, false]],
    ["no days at all", { trading_days: null }, [true, null, null, null]],
  ])("the objectives have their verdicts with %s", (_, changes, expected) => {
    expect(metOf(changes)).toEqual(expected);
  });

  test("the share that was kept at the lowest becomes a drawdown in percent", () => {
    expect(trackOf({})?.maxDrawdownPercent).toBe(2.4);
    expect(trackOf({ max_drawdown: 1 })?.maxDrawdownPercent).toBe(0);
    expect(trackOf({ max_drawdown: null })?.maxDrawdownPercent).toBeNull();
  });

  test.each([
    ["PRO_FUNDED", true, true, [true, true]],
    ["PRO_FUNDED", true, null, [true, null]],
    ["PRO_FUNDED", null, true, [true, true]],
    ["PRO_FUNDED", false, true, [false, false]],
    // Older validators report a soft breach for a direct challenge too, although it has no earnings.
    ["PRO_CHALLENGE_DIRECT", true, true, [false, false]],
    ["PRO_CHALLENGE_TRANSITION", true, true, [false, false]],
  ])("the soft breach of %s (applies: %s, now: %s) is %j", (bucket, applies, now, expected) => {
    const track = trackOf({ soft_breach_applies: applies, soft_breach: now }, bucket);
    expect([track?.softBreachApplies, track?.softBreach]).toEqual(expected);
  });

  test("the transition ends at the next Monday, and the pro account has no return yet", () => {
    const track = trackOf({}, "PRO_CHALLENGE_TRANSITION");
    expect(track).toMatchObject({
      phase: "transition",
      transitionEndsAtMs: Date.UTC(2026, 10, 23),
      standardAccountSize: 50_000,
      proAccountSize: 100_000,
    });
    expect(track?.objectives[0]).toMatchObject({ key: "return", value: null, met: null });
  });

  test("a pro track without statistics says so, and the account's return is known all the same", () => {
    const view = madeAccount(
      madeReadings({
        challenge_period: { bucket: "PRO_CHALLENGE_FROM_STANDARD" },
        account_size_data: { balance: 101_000, equity: 100_500 },
      }),
    );
    expect(view.proTrack).toMatchObject({
      phase: "challenge",
      hasStats: false,
      evaluated: false,
      maxDrawdownPercent: null,
      standardAccountSize: null,
      proAccountSize: null,
    });
    expect(view.proTrack?.objectives[0]).toMatchObject({
      value: 0.005,
      threshold: null,
      met: null,
    });
    expect([view.isPro, view.tradingDays]).toEqual([true, null]);
  });
});
