import {
  ACCOUNT_ELIMINATED,
  ACCOUNT_PRO,
  ACCOUNT_STATIC,
  type Account,
  type Linked,
} from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { nearLimit, titleFigure } from "./near-limit.ts";

/** The account with these figures for its last limit. */
function withLast(account: Account<Linked>, usedPctNow: number | null, remainingNow: number) {
  const rules = account.drawdownRules;
  if (rules === null) throw new Error("the examples have limits");
  const limits = rules.limits.map((limit, index) =>
    index < rules.limits.length - 1
      ? { ...limit, usedPctNow: 0 }
      : { ...limit, limitPct: 5, usedPctNow, remainingNow },
  );
  return { isClosed: false, account: { ...account, drawdownRules: { ...rules, limits } } };
}

describe("a limit that is half used or more [D13.limitNotice]", () => {
  test.each([
    [2.49, null],
    [2.5, "notice"],
    [3.74, "notice"],
    [3.75, "warn"],
    [4.49, "warn"],
    [4.5, "danger"],
    [5.2, "danger"],
    [null, null],
  ])("a limit with %s of 5 percent lost has the notice %s", (usedPctNow, strain) => {
    const near = nearLimit(withLast(ACCOUNT_STATIC, usedPctNow, 500));
    expect(near?.severity ?? null).toBe(strain);
  });

  test("the title begins with today's profit, and near the end with what is left", () => {
    const { todayPnl } = ACCOUNT_STATIC.account;
    expect(todayPnl).toBeGreaterThan(0);
    expect(titleFigure(withLast(ACCOUNT_STATIC, 4.4, 600))).toMatch(/^\+[\d,.]+ USD$/);
    expect(titleFigure(withLast(ACCOUNT_STATIC, 4.6, 400))).toBe("400.00 USD left");
    expect(titleFigure(withLast(ACCOUNT_PRO, 5.3, -300))).toBe(
      "300.00 USD below the floor if the day ended now",
    );
  });

  test("an account that was eliminated or closed and one without a value have neither", () => {
    const closed = { ...withLast(ACCOUNT_STATIC, 4.6, 400), isClosed: true };
    const unvalued = { isClosed: false, account: null };
    for (const state of [withLast(ACCOUNT_ELIMINATED, 6, -1), closed, unvalued])
      expect([nearLimit(state), titleFigure(state)]).toEqual([null, null]);
  });
});
