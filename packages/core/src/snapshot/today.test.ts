import { describe, expect, test } from "vitest";
import { applyProPromoted, applyProStarted } from "../evolve/phases.ts";
import { createTestProTerms } from "../testing/catalogue.ts";
import { createTestAccount, TEST_TIME_MS } from "../testing/test-account.ts";
import { ratio, roundUsd, unixMs } from "../units.ts";
import { todayPnlOf } from "./today.ts";

const startingAt = (usd: number) => ({
  day: { startMs: unixMs(0), startEquity: roundUsd(usd), earlierReturn: ratio(0.02) },
});

describe("the profit of the account's day [D13.todayPnl]", () => {
  test.each([
    ["a first day counts from the size", {}, 100_314.45, 314.45, 0.31445],
    ["a later day counts from its own start", startingAt(102_000), 101_490, -510, -0.5],
    ["a day at its start has earned nothing", startingAt(102_000), 102_000, 0, 0],
  ])("%s", (_, changes, equity, pnl, pct) => {
    const today = todayPnlOf(createTestAccount(changes), roundUsd(equity));
    expect(today?.pnl).toBe(roundUsd(pnl));
    expect(today?.pct).toBeCloseTo(pct, 12);
  });

  test("a promotion on the pro track keeps the ledger, so its day goes on [D7.promotion]", () => {
    const terms = createTestProTerms(roundUsd(200_000), roundUsd(100_000));
    const start = {
      type: "proStarted",
      phase: "proChallengeDirect",
      atMs: TEST_TIME_MS,
      startMs: TEST_TIME_MS,
    } as const;
    const equity = roundUsd(100_000);
    const started = applyProStarted(createTestAccount(), { ...start, terms, equity });
    const account = { ...started, ...startingAt(102_000) };
    const event = {
      type: "proPromoted",
      atMs: TEST_TIME_MS,
      promotedMs: TEST_TIME_MS,
      by: "operator",
    } as const;
    const funded = applyProPromoted(account, { ...event, profit: roundUsd(1_490) });
    expect(funded.phase).toBe("proFunded");
    expect(todayPnlOf(funded, roundUsd(101_490))).toEqual(todayPnlOf(account, roundUsd(101_490)));
  });

  test("a day that begins in debt has a profit and no percent", () => {
    expect(todayPnlOf(createTestAccount(startingAt(-50)), roundUsd(-20))).toEqual({
      pnl: roundUsd(30),
      pct: null,
    });
  });

  test.each(["provisioning", "eliminated", "closed"] as const)(
    "an account that is %s has no day",
    (status) => {
      expect(todayPnlOf(createTestAccount({ status }), roundUsd(99_000))).toBeNull();
    },
  );
});
