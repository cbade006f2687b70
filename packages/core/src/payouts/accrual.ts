import { equityOf, type MissingMark } from "../account/equity.ts";
import { profitOf } from "../challenge/target.ts";
import type { PricedMarket } from "../market/valuation.ts";
import { ok, type Result } from "../result.ts";
import type { AccountState } from "../state/account.ts";
import { addUsd, type MicroUsd, type UnixMs } from "../units.ts";
import { cycleFigures } from "./cycle.ts";

/** An estimate of the payout of the cycle in progress, as if it were closed now. */
export interface Accrual {
  /** The estimated payout. Null while the cycle has no fill and no open position, and nothing would be released. */
  readonly estimate: MicroUsd | null;
  readonly windowStartMs: UnixMs;
}

/**
 * The estimate for the cycle in progress: what it would pay if it were closed now. Null when the phase earns no payout
 * or the account is not active. Refuses while an open position cannot be valued. @rule S2.5.accrual decides
 */
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

/** True when the cycle has no fill and the account no open position. */
function isWindowEmpty({ earning, positions }: AccountState): boolean {
  const last = earning?.lastFillAtMs ?? null;
  return positions.length === 0 && (last === null || last < (earning?.windowStartMs ?? 0));
}

/** The sum of the payouts of closed cycles that are not paid yet. */
export interface UnpaidTotals {
  readonly amount: MicroUsd;
  /** Start of the oldest unpaid cycle; null when there is none. */
  readonly earliestPeriodStartMs: UnixMs | null;
}

/** The payouts of closed cycles that are not paid yet, added up. @rule S2.5.accrual */
export function sumUnpaidTotals({ unpaid }: Pick<AccountState, "unpaid">): UnpaidTotals {
  return {
    amount: addUsd(...unpaid.map(({ amount }) => amount)),
    earliestPeriodStartMs: unpaid[0]?.periodStartMs ?? null,
  };
}
