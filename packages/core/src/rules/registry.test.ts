import { describe, expect, test } from "vitest";
import { equityOf } from "../account/equity.ts";
import { CLASSIC_TERMS } from "../testing/catalogue.ts";
import {
  createTestAccount,
  createTestMarket,
  createTestPosition,
} from "../testing/test-account.ts";
import { dollars, percent, ratio, roundUsd, unixMs } from "../units.ts";
import {
  dailyLossOf,
  dayEndBreach,
  drawdownCriteriaOf,
  drawdownOf,
  LOSS_LIMITS,
  liveBreach,
  maxLossOf,
} from "./registry.ts";

/** A day that started with less equity, so that the static floor is reached first. */
const DAY_FROM_97_000 = {
  startMs: unixMs(0),
  startEquity: roundUsd(97_000),
  earlierReturn: ratio(0),
};

describe("the limits that bind an account [S2.1.2] [S3.criteria]", () => {
  test.each([
    // Each row: the criteria of the terms, the phase, the criteria that bind, and the limit besides the daily one.
    ["static", "challenge", "static", "staticLoss"],
    ["static", "funded", "static", "staticLoss"],
    ["trailing", "challenge", "trailing", "endOfDayTrailing"],
    ["static", "proTransition", "static", "staticLoss"],
    ["static", "proChallengeDirect", "pro", "endOfDayTrailing"],
    ["static", "proChallengeFromStandard", "pro", "endOfDayTrailing"],
    ["trailing", "proFunded", "pro", "endOfDayTrailing"],
  ] as const)(
    "an account sold with %s criteria, in the phase %s, has %s criteria and the limit %s",
    (criteria, phase, shown, rule) => {
      const account = createTestAccount({ terms: { ...CLASSIC_TERMS, criteria }, phase });
      expect(drawdownCriteriaOf(account)).toBe(shown);
      const drawdown = drawdownOf(account, roundUsd(100_000));
      expect(drawdown.limits.map((limit) => limit.rule)).toEqual(["dailyLoss", rule]);
      expect(dailyLossOf(drawdown).rule).toBe("dailyLoss");
      expect(maxLossOf(drawdown).rule).toBe(rule);
    },
  );

  test("the daily loss limit is first in the order of precedence [D7.bothLimits]", () => {
    expect(Object.keys(LOSS_LIMITS)[0]).toBe("dailyLoss");
  });

  test("one quote that breaches both limits names the daily loss limit [D7.bothLimits]", () => {
    expect(liveBreach(createTestAccount(), roundUsd(94_999))?.rule).toBe("dailyLoss");
  });

  test("the static limit is named when only it is breached", () => {
    const account = createTestAccount({ day: DAY_FROM_97_000 });
    expect(liveBreach(account, roundUsd(95_000))).toBeNull();
    const breach = liveBreach(account, roundUsd(94_999.99));
    expect(breach?.rule).toBe("staticLoss");
    expect(breach && dollars(breach.used)).toBe(5_000.01);
  });

  test("a static account has nothing to check at midnight", () => {
    const fallen = { equity: roundUsd(1), highWater: roundUsd(100_000) };
    expect(dayEndBreach(createTestAccount({ endOfDay: fallen }))).toBeNull();
  });
});

describe("closed and open losses count together [S2.1.2.static]", () => {
  /** A balance of 96,000 and a long of one BTC from 50,000. */
  const account = createTestAccount({
    realized: roundUsd(-4_000),
    day: DAY_FROM_97_000,
    positions: [createTestPosition({ pair: "BTCUSD", direction: "long", lots: 1, entry: 50_000 })],
  });

  test.each([
    // Each row: the bid, and whether the static limit is breached.
    [49_000, false],
    [48_999.99, true],
  ])("the static limit is breached at a bid of %d: %s", (bid, breached) => {
    const equity = equityOf(account, createTestMarket({ BTCUSD: [bid, bid + 500] }));
    expect(equity.ok && liveBreach(account, equity.value) !== null).toBe(breached);
  });

  test("a gain does not breach a limit", () => {
    const terms = {
      ...CLASSIC_TERMS,
      challenge: { ...CLASSIC_TERMS.challenge, dailyLossPct: percent(0.01) },
    };
    expect(liveBreach(createTestAccount({ terms }), roundUsd(100_001))).toBeNull();
  });
});
