import { describe, expect, test } from "vitest";
import { openDraft } from "../evolve/open-draft.ts";
import type { AccountState } from "../state/account.ts";
import type { Earning } from "../state/earning.ts";
import { NEW_PAYMENT, type Payout, payoutId } from "../state/payout.ts";
import { CLASSIC_TERMS, TEST_CATALOGUE } from "../testing/catalogue.ts";
import {
  createTestAccount,
  createTestMarket,
  createTestPosition,
  TEST_TIME_MS,
} from "../testing/test-account.ts";
import { microUsd, roundUsd, type UnixMs, unixMs } from "../units.ts";
import { accrualOf, sumUnpaidTotals } from "./accrual.ts";
import { closeCycle, cycleFigures } from "./cycle.ts";

const WEEK_MS = 7 * 86_400_000;
const START = TEST_TIME_MS;
const END = unixMs(START + WEEK_MS);
const MARKET = createTestMarket({ BTCUSD: 50_000 });
const NONE = createTestMarket({});
const EARNING: Earning = {
  sinceMs: START,
  windowStartMs: START,
  mark: microUsd(0),
  lastFillAtMs: null,
};
const OPEN = createTestPosition({ pair: "BTCUSD", direction: "long", lots: 1, entry: 49_000 });

const funded = (changes: Partial<AccountState> = {}): AccountState =>
  createTestAccount({ phase: "funded", earning: EARNING, ...changes });

/** The events of closing the cycle at this time. */
function closed(state: AccountState, at: UnixMs, market = MARKET): readonly unknown[] {
  const draft = openDraft(state, { now: END, quotes: market.quotes, instruments: TEST_CATALOGUE });
  closeCycle(draft, at);
  return draft.events;
}

describe("closing a cycle [D7.payouts]", () => {
  test.each([
    ["a profit of one micro dollar is a payout", microUsd(1), 1],
    ["a profit of zero is no payout", microUsd(0), null],
    ["a loss is no payout", microUsd(-1), null],
  ])("%s", (_, realized, amount) => {
    const [event] = closed(funded({ realized }), END);
    const payout =
      amount === null
        ? null
        : {
            id: payoutId(funded().accountId, END),
            periodStartMs: START,
            periodEndMs: END,
            amount,
            split: CLASSIC_TERMS.profitSplit,
            createdAtMs: END,
            payment: NEW_PAYMENT,
          };
    expect(event).toMatchObject({ type: "cycleClosed", profit: realized, payout });
  });

  test.each([
    ["a cycle of one millisecond is closed", 1, 1],
    ["a cycle without length is closed when it earned [D13.instantCycle]", 0, 1],
    ["a cycle from before the clock went back is closed when it earned", -1, 1],
  ])("%s", (_, lengthMs, events) => {
    expect(closed(funded({ realized: roundUsd(10) }), unixMs(START + lengthMs))).toHaveLength(
      events,
    );
  });

  test("an account that does not earn has no cycle to close", () => {
    expect(closed(createTestAccount({ realized: roundUsd(10) }), END)).toEqual([]);
    expect(() => cycleFigures(createTestAccount(), microUsd(1))).toThrow("an account that earns");
  });

  test("closing a cycle throws while an open position has no price", () => {
    expect(() => closed(funded({ positions: [OPEN] }), END, NONE)).toThrow(
      "prices for all open positions when a cycle is closed",
    );
  });
});

describe("the estimate for the cycle in progress [S2.5.accrual]", () => {
  test.each<[string, Partial<AccountState>, unknown]>([
    ["the estimate is empty before the first fill", {}, { estimate: null, windowStartMs: START }],
    [
      "the estimate is empty when the last fill is from the previous cycle",
      { earning: { ...EARNING, lastFillAtMs: unixMs(START - 1) } },
      { estimate: null, windowStartMs: START },
    ],
    [
      "the estimate includes a fill in the first millisecond of the cycle",
      { earning: { ...EARNING, lastFillAtMs: START }, realized: roundUsd(10) },
      { estimate: roundUsd(10), windowStartMs: START },
    ],
    [
      "the estimate is not empty while a position is open",
      { positions: [OPEN], realized: roundUsd(10) },
      { estimate: roundUsd(10), windowStartMs: START },
    ],
    ["an account that has ended has no estimate", { status: "eliminated" }, null],
    ["a phase that earns nothing has no estimate", { earning: null }, null],
  ])("%s", (_, changes, value) => {
    expect(accrualOf(funded(changes), MARKET)).toEqual({ ok: true, value });
  });

  test("the estimate is refused while an open position cannot be valued", () => {
    expect(accrualOf(funded({ positions: [OPEN] }), NONE)).toEqual({
      ok: false,
      refusal: { code: "missingMark", pair: OPEN.pair },
    });
  });

  test("unpaid cycles are summed and start with the oldest", () => {
    const payout = (week: number, usd: number): Payout => ({
      id: payoutId(funded().accountId, unixMs(START + week * WEEK_MS)),
      periodStartMs: unixMs(START + (week - 1) * WEEK_MS),
      periodEndMs: unixMs(START + week * WEEK_MS),
      amount: roundUsd(usd),
      split: CLASSIC_TERMS.profitSplit,
      createdAtMs: END,
      payment: NEW_PAYMENT,
    });
    expect(sumUnpaidTotals({ unpaid: [] })).toEqual({ amount: 0, earliestPeriodStartMs: null });
    expect(sumUnpaidTotals({ unpaid: [payout(1, 100), payout(2, 50)] })).toEqual({
      amount: roundUsd(150),
      earliestPeriodStartMs: START,
    });
  });
});
