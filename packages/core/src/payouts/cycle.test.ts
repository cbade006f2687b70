import { describe, expect, test } from "vitest";
import { openDraft } from "../evolve/open-draft.ts";
import type { AccountState } from "../state/account.ts";
import type { Earning } from "../state/earning.ts";
import { NEW_PAYMENT, type Payout, payoutId } from "../state/payout.ts";
import { CATALOGUE, TERMS } from "../testing/catalogue.ts";
import { AT, madeAccount, madeMarket, madePosition } from "../testing/made-account.ts";
import { microUsd, roundUsd, type UnixMs, unixMs } from "../units.ts";
import { accrualOf, unpaidOf } from "./accrual.ts";
import { closeCycle, cycleFigures } from "./cycle.ts";

const WEEK_MS = 7 * 86_400_000;
const START = AT;
const END = unixMs(START + WEEK_MS);
const MARKET = madeMarket({ BTCUSD: 50_000 });
const NONE = madeMarket({});
const EARNING: Earning = {
  sinceMs: START,
  windowStartMs: START,
  mark: microUsd(0),
  lastFillAtMs: null,
};
const OPEN = madePosition({ pair: "BTCUSD", direction: "long", lots: 1, entry: 49_000 });

const funded = (changes: Partial<AccountState> = {}): AccountState =>
  madeAccount({ phase: "funded", earning: EARNING, ...changes });

/** What a close at this moment writes down. */
function closed(state: AccountState, at: UnixMs, market = MARKET): readonly unknown[] {
  const draft = openDraft(state, { now: END, quotes: market.quotes, instruments: CATALOGUE });
  closeCycle(draft, at);
  return draft.events;
}

describe("closing a cycle [D7.payouts]", () => {
  test.each([
    ["a profit of one micro dollar is a payout", microUsd(1), 1],
    ["none is no payout", microUsd(0), null],
    ["a loss is none", microUsd(-1), null],
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
            split: TERMS.profitSplit,
            createdAtMs: END,
            payment: NEW_PAYMENT,
          };
    expect(event).toMatchObject({ type: "cycleClosed", profit: realized, payout });
  });

  test.each([
    ["a millisecond", 1, 1],
    ["no length", 0, 0],
    ["one that was closed already", -1, 0],
  ])("a cycle of %s", (_, lengthMs, events) => {
    expect(closed(funded({ realized: roundUsd(10) }), unixMs(START + lengthMs))).toHaveLength(
      events,
    );
  });

  test("an account that does not earn has none", () => {
    expect(closed(madeAccount({ realized: roundUsd(10) }), END)).toEqual([]);
    expect(() => cycleFigures(madeAccount(), microUsd(1))).toThrow("an account that earns");
  });

  test("to close one before what is open has a price is a fault", () => {
    expect(() => closed(funded({ positions: [OPEN] }), END, NONE)).toThrow(
      "prices for all open positions when a cycle is closed",
    );
  });
});

describe("the estimate for the cycle in progress [S2.5.accrual]", () => {
  test.each<[string, Partial<AccountState>, unknown]>([
    ["nothing happened yet", {}, { estimate: null, windowStartMs: START }],
    [
      "the last fill is of the cycle before",
      { earning: { ...EARNING, lastFillAtMs: unixMs(START - 1) } },
      { estimate: null, windowStartMs: START },
    ],
    [
      "a fill at its first moment",
      { earning: { ...EARNING, lastFillAtMs: START }, realized: roundUsd(10) },
      { estimate: roundUsd(10), windowStartMs: START },
    ],
    [
      "nothing but an open position",
      { positions: [OPEN], realized: roundUsd(10) },
      { estimate: roundUsd(10), windowStartMs: START },
    ],
    ["an account that has ended", { status: "eliminated" }, null],
    ["a phase that earns nothing", { earning: null }, null],
  ])("%s", (_, changes, value) => {
    expect(accrualOf(funded(changes), MARKET)).toEqual({ ok: true, value });
  });

  test("is refused while what is open cannot be valued", () => {
    expect(accrualOf(funded({ positions: [OPEN] }), NONE)).toEqual({
      ok: false,
      refusal: { code: "missingMark", pair: OPEN.pair },
    });
  });

  test("what is unpaid is summed, and begins with the oldest", () => {
    const payout = (week: number, usd: number): Payout => ({
      id: payoutId(funded().accountId, unixMs(START + week * WEEK_MS)),
      periodStartMs: unixMs(START + (week - 1) * WEEK_MS),
      periodEndMs: unixMs(START + week * WEEK_MS),
      amount: roundUsd(usd),
      split: TERMS.profitSplit,
      createdAtMs: END,
      payment: NEW_PAYMENT,
    });
    expect(unpaidOf({ unpaid: [] })).toEqual({ amount: 0, earliestPeriodStartMs: null });
    expect(unpaidOf({ unpaid: [payout(1, 100), payout(2, 50)] })).toEqual({
      amount: roundUsd(150),
      earliestPeriodStartMs: START,
    });
  });
});
