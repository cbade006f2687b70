import type { AccountState } from "../account/account.ts";
import { equityOf, type MissingMark } from "../account/equity.ts";
import { profitOf } from "../challenge/target.ts";
import type { PricedMarket } from "../market/valuation.ts";
import { ok, type Result } from "../result.ts";
import { addUsd, type MicroUsd, type UnixMs } from "../units.ts";
import { cycleFigures } from "./cycle.ts";

/** What the cycle in progress would pay if it were closed now. */
export interface Accrual {
  /** Null while nothing has happened in the window and nothing is waiting to be released. */
  readonly estimate: MicroUsd | null;
  readonly windowStartMs: UnixMs;
}

/** Null: the account earns nothing in its phase. Refused while what is open cannot be valued. @rule S2.5.accrual */
export function accrualOf(
  state: AccountState,
  market: PricedMarket,
): Result<Accrual | null, MissingMark> {
  const { earning, status } = state;
  if (earning === null || status !== "active") return ok(null);
  const equity = equityOf(state, market);
  if (!equity.ok) return equity;
  const { payable, released } = cycleFigures(state, profitOf(state, equity.value));
  const isEmpty = isWindowEmpty(state) && released === 0;
  return ok({ estimate: isEmpty ? null : payable, windowStartMs: earning.windowStartMs });
}

/** No fill since the cycle began, and nothing open that could earn. */
function isWindowEmpty({ earning, positions }: AccountState): boolean {
  const last = earning?.lastFillAtMs ?? null;
  return positions.length === 0 && (last === null || last < (earning?.windowStartMs ?? 0));
}

export interface Unpaid {
  readonly amount: MicroUsd;
  /** Of the oldest; null without any. */
  readonly earliestPeriodStartMs: UnixMs | null;
}

/** Closed cycles that are not paid yet. @rule S2.5.accrual */
export function unpaidOf({ unpaid }: Pick<AccountState, "unpaid">): Unpaid {
  return {
    amount: addUsd(...unpaid.map(({ amount }) => amount)),
    earliestPeriodStartMs: unpaid[0]?.periodStartMs ?? null,
  };
}
