import { type AccountState, accrualOf, type Moment, microUsd, unpaidOf } from "@propgate/core";
import type { PayoutStore } from "../../storage/stores/payout-store.ts";
import type { VersionedState } from "../executor-port.ts";
import type { Accrual, PayoutsPage, PayoutsReading } from "./port.ts";

/**
 * A page of an account's payouts, newest first; the first page includes the cycle in progress.
 * @rule S2.5.items
 */
export async function payoutsReading(options: {
  readonly store: Pick<PayoutStore, "page">;
  readonly account: VersionedState;
  readonly page: PayoutsPage;
  readonly moment: Moment;
}): Promise<PayoutsReading> {
  const { account, page, moment } = options;
  const { state, version } = account;
  const { accountId } = state;
  const { after, limit } = page;
  // One row more than the page shows whether another page follows.
  const found = await options.store.page({ accountId, version }, { after, limit: limit + 1 });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const next =
    found.length > limit && last !== undefined
      ? { periodStartMs: last.periodStartMs, id: last.id }
      : null;
  const accrual = after === null ? accrualNow(state, moment) : NOT_ON_THIS_PAGE;
  return { items, next, ...accrual };
}

type CycleInProgress = Pick<PayoutsReading, "accrualStatus" | "accrual">;

const NOT_ON_THIS_PAGE: CycleInProgress = { accrualStatus: "omitted", accrual: null };

/**
 * The unpaid amount of closed cycles is known even when the estimate is not.
 * @rule S2.5.accrual S3.accrualStatus
 */
function accrualNow(state: AccountState, moment: Moment): CycleInProgress {
  const { amount, earliestPeriodStartMs } = unpaidOf(state);
  const deferred = state.pro?.deferred ?? microUsd(0);
  const known: Accrual = {
    estimatedAmount: null,
    windowStartMs: null,
    asOfMs: moment.now,
    priorUnpaidAmount: amount,
    earliestUnpaidPeriodStartMs: earliestPeriodStartMs,
    deferredBalance: deferred === 0 ? null : deferred,
  };
  const accrued = accrualOf(state, moment);
  if (!accrued.ok) {
    const windowStartMs = state.earning?.windowStartMs ?? null;
    return { accrualStatus: "unavailable", accrual: { ...known, windowStartMs } };
  }
  if (accrued.value === null) return { accrualStatus: "not_applicable", accrual: known };
  const { estimate, windowStartMs } = accrued.value;
  return {
    accrualStatus: "ok",
    accrual: { ...known, estimatedAmount: estimate, windowStartMs },
  };
}
