import { ACCOUNT_PRO } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import {
  PRO_OFFER,
  ScriptedAccount,
  scriptedFundedAccount,
  scriptedProChallenge,
} from "../../../server/src/testing/scripted-account.ts";
import { accountView } from "./account.ts";

test("owner's accounts that could not be counted are null, and their text is a placeholder [D4.stale]", () => {
  const reading = { ...scriptedProChallenge().reading(), ownerAccounts: null, stale: true };
  expect(accountView(reading).evaluation).toMatchObject({
    activeAccounts: "1/1",
    activeAccountsCount: null,
    activeAccountsMax: null,
  });
});

describe("an account on the pro track [S2.1.1] [S2.1.1.phase] [S2.1.1.objectives]", () => {
  test("an account on the pro track reads as the published example", () => {
    const account = scriptedProChallenge();
    expect(accountView(account.reading())).toEqual(ACCOUNT_PRO);
  });

  test("an account on the pro track is the standard account in the transition, and nothing is tracked", () => {
    const account = scriptedFundedAccount();
    // 2026-01-07 is a Wednesday.
    account.at("2026-01-07T10:00");
    account.run(PRO_OFFER);
    const view = accountView(account.reading());
    expect(view.evaluation).toMatchObject({
      title: "Pro Transition",
      status: "funded",
      effectiveAccountSizeNumeric: 100_000,
    });
    expect(view.challenge).toMatchObject({
      variant: "classic",
      bucket: "PRO_CHALLENGE_TRANSITION",
    });
    expect([view.isPro, view.tradingDays]).toEqual([false, 0]);
    expect(view.proTrack).toEqual({
      phase: "transition",
      transitionEndsAtMs: Date.UTC(2026, 0, 12),
      standardAccountSize: 100_000,
      proAccountSize: 200_000,
      hasStats: false,
      evaluated: false,
      objectives: ACCOUNT_PRO.proTrack?.objectives.map((one) => ({
        ...one,
        value: null,
        met: null,
      })),
      maxDrawdownPercent: 0,
      softBreachApplies: false,
      softBreach: false,
    });
  });

  test("an account on the pro track runs under the pro terms from Monday on", () => {
    const account = scriptedFundedAccount();
    account.at("2026-01-07T10:00");
    account.run(PRO_OFFER);
    account.at("2026-01-12T00:00");
    const view = accountView(account.reading());
    expect(view.evaluation).toMatchObject({
      title: "Pro $200K Challenge",
      status: "evaluation",
      accountSize: "$100,000",
      effectiveAccountSizeNumeric: 200_000,
    });
    expect(view.challenge).toMatchObject({
      variant: "pro",
      bucket: "PRO_CHALLENGE_FROM_STANDARD",
      drawdownCriteria: "trailing",
    });
    expect(view.drawdownRules?.criteria).toBe("pro");
    expect(view.proTrack).toMatchObject({ phase: "challenge", transitionEndsAtMs: null });
  });

  test("only return and days have a verdict before the first full day [S2.1.tradingDays]", () => {
    const account = new ScriptedAccount("2026-01-05T08:00", { id: "a1", price: 1.1 });
    account.run(PRO_OFFER);
    account.order("long", 2);
    // +12,000 of 200,000, not closed: the lower of balance and equity has no gain.
    account.at("2026-01-05T12:00", 1.16);
    const { proTrack, isPro, tradingDays } = accountView(account.reading());
    expect([isPro, tradingDays]).toEqual([true, 0]);
    expect([proTrack?.hasStats, proTrack?.evaluated]).toEqual([true, false]);
    expect(proTrack?.objectives.map(({ key, value, met }) => [key, value, met])).toEqual([
      ["return", 0, false],
      ["calmar", null, null],
      ["consistency", null, null],
      ["days", 0, false],
    ]);
    account.close();
    const [returned] = accountView(account.reading()).proTrack?.objectives ?? [];
    expect(returned).toMatchObject({ value: 0.06, met: true });
  });

  test("a week with a day beyond a target is held once the account is funded [S2.1.1.softBreach]", () => {
    const account = scriptedProChallenge();
    account.run({ type: "promote" });
    const before = accountView(account.reading());
    expect(before.evaluation.title).toBe("Pro $200K Funded");
    expect(before.challenge.bucket).toBe("PRO_FUNDED");
    expect(before.proTrack).toMatchObject({
      phase: "funded",
      softBreachApplies: true,
      softBreach: false,
    });
    // Consistency is 0.667 when the day ends.
    account.at("2026-01-08T00:00");
    expect(accountView(account.reading()).proTrack?.softBreach).toBe(true);
    account.at("2026-01-12T00:00");
    expect(accountView(account.reading()).proTrack?.softBreach).toBe(false);
  });
});

describe("an account that is not on the pro track [S2.1.1]", () => {
  test("an account that is not on the pro track has no figures of it", () => {
    const view = accountView(scriptedFundedAccount().reading());
    expect([view.proTrack, view.isPro, view.tradingDays]).toEqual([null, false, null]);
    expect(view.challenge.variant).toBe("classic");
  });
});

describe("the profit of today [D13.todayPnl]", () => {
  const today = (account: ScriptedAccount) => {
    const { todayPnl, todayPnlPct } = accountView(account.reading()).account;
    return [todayPnl, todayPnlPct];
  };

  test("the profit of today counts from the size on the first day and from midnight's equity on the next", () => {
    const account = new ScriptedAccount("2026-01-05T08:00", { id: "a1", price: 1.1 });
    expect(today(account)).toEqual([0, 0]);
    account.order("long", 1);
    account.at("2026-01-05T12:00", 1.11);
    expect(today(account)).toEqual([1_000, 1]);
    account.at("2026-01-06T00:00");
    expect(today(account)).toEqual([0, 0]);
    account.at("2026-01-06T12:00", 1.1049);
    expect(today(account)).toEqual([-510, expect.closeTo(-510 / 1_010, 12)]);
  });

  test("the profit of today begins anew at the size when the account passes or moves to another size", () => {
    const account = new ScriptedAccount("2026-01-05T08:00", { id: "a1", price: 1.1 });
    account.order("long", 2);
    account.at("2026-01-05T12:00", 1.13);
    account.close();
    expect(today(account)).toEqual([6_000, 6]);
    account.run({ type: "promote" });
    expect(today(account)).toEqual([0, 0]);
    account.order("long", 1);
    account.at("2026-01-05T13:00", 1.125);
    expect(today(account)).toEqual([-500, -0.5]);
    account.run(PRO_OFFER);
    account.at("2026-01-12T00:00", 1.12);
    expect(accountView(account.reading()).account.currentEquity).toBe(200_000);
    expect(today(account)).toEqual([0, 0]);
  });
});

describe("what lies ahead of the limits [D4.outlook]", () => {
  test("a trailing limit shows its money, midnight and price the same in every place", () => {
    const account = scriptedProChallenge();
    account.order("long", 4);
    const { drawdownRules, challenge } = accountView(account.reading());
    // 95 % of 204,025.05 is 193,823.7975; 10,201.2525 on 400,000 EUR are 0.02550313125.
    expect(drawdownRules?.dailyLoss).toMatchObject({
      remaining: 10_201.2525,
      nextCheckMs: null,
      breachPrice: 1.07699686875,
    });
    // 8 % is 16,322.004, which is 0.04080501 on 400,000 EUR.
    expect(drawdownRules?.maxLoss).toMatchObject({
      remaining: 16_322.004,
      nextCheckMs: Date.UTC(2026, 0, 8),
      breachPrice: 1.06169499,
    });
    expect(challenge.drawdownBreakdown.remainingDrawdown).toBe(16_322.004);
  });

  test("the list has every limit in the order of precedence, in one shape [D4.limits] [D12.limitNow] [D12.breachMove]", () => {
    const account = scriptedProChallenge();
    account.order("long", 4);
    // 4,500 down on 400,000 EUR. Only the live limit measures 204,025.05 − 4,500.
    account.at("2026-01-07T11:00", 1.09125);
    const { limits, dailyLoss, maxLoss } = accountView(account.reading()).drawdownRules ?? {};
    expect(limits).toEqual([
      {
        rule: "dailyLoss",
        checked: "live",
        limitPct: 5,
        usedPct: dailyLoss?.usedPct,
        anchorEquity: 204_025.05,
        measuredEquity: 199_525.05,
        allowed: 10_201.2525,
        floor: 193_823.7975,
        equityNow: 199_525.05,
        usedPctNow: dailyLoss?.usedPct,
        remainingNow: 5_701.2525,
        remaining: 5_701.2525,
        nextCheckMs: null,
        breachPrice: dailyLoss?.breachPrice,
        // 5,701.2525 / 436,500, the value at 1.09125.
        breachMovePct: 1.30612886598,
      },
      {
        rule: "eod_trailing",
        checked: "end_of_day",
        limitPct: 8,
        usedPct: 0,
        anchorEquity: 204_025.05,
        measuredEquity: 204_025.05,
        allowed: 16_322.004,
        floor: 187_703.046,
        equityNow: 199_525.05,
        usedPctNow: expect.closeTo((4_500 * 100) / 204_025.05, 12),
        remainingNow: 11_822.004,
        remaining: 16_322.004,
        nextCheckMs: Date.UTC(2026, 0, 8),
        breachPrice: maxLoss?.breachPrice,
        breachMovePct: null,
      },
    ]);
  });

  test("the specified limits are the same figures as their items of the list [D4.limits] [S2.1.2]", () => {
    for (const account of [scriptedProChallenge(), scriptedFundedAccount()]) {
      account.order("long", 1);
      const rules = accountView(account.reading()).drawdownRules;
      if (rules === null) throw new Error("an account that can be valued has limits");
      const { dayStartEquity, ...dailyLoss } = rules.dailyLoss;
      const [daily, max] = rules.limits;
      expect(daily).toMatchObject({ ...dailyLoss, anchorEquity: dayStartEquity });
      expect(max).toMatchObject(rules.maxLoss);
    }
  });
});
