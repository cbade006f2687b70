import {
  type AccountState,
  accrualOf,
  type Moment,
  microUsd,
  sumUnpaidTotals,
} from "@propgate/core";
import type { PayoutStore } from "../../storage/stores/payout-store.ts";
import type { Accrual, PayoutsPage, PayoutsReading, ReadAt } from "./port.ts";
import type { PresentAccount } from "./present-account.ts";

/**
 * A page of an account's payouts, newest first. The first page has the accrual of the cycle in progress; on later pages
 * the status of the accrual is `omitted`. The status is `unavailable` when `present` is null, because the account's
 * state cannot be read, and while the profit of the cycle cannot be estimated. @rule S2.5.items
 * @rule S3.accrualStatus decides
 */
export async function readPayouts(options: {
  readonly store: Pick<PayoutStore, "page">;
  readonly at: Pick<ReadAt, "accountId" | "version">;
  readonly page: PayoutsPage;
  readonly present: PresentAccount | null;
}): Promise<PayoutsReading> {
  const { at, page, present } = options;
  const { accountId } = at;
  const version = present === null ? at.version : present.account.version;
  const { after, limit } = page;
  // One more row than the page has shows whether another page follows.
  const found = await options.store.page({ accountId, version }, { after, limit: limit + 1 });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const next =
    found.length > limit && last !== undefined
      ? { periodStartMs: last.periodStartMs, id: last.id }
      : null;
  if (after !== null) return { items, next, ...NOT_ON_THIS_PAGE };
  const accrual = present === null ? NO_STATE : accrualNow(present.account.state, present.moment);
  return { items, next, ...accrual };
}

type CycleInProgress = Pick<PayoutsReading, "accrualStatus" | "accrual">;

const NOT_ON_THIS_PAGE: CycleInProgress = { accrualStatus: "omitted", accrual: null };
const NO_STATE: CycleInProgress = { accrualStatus: "unavailable", accrual: null };

/**
 * The cycle in progress. The unpaid amount of closed cycles is known even when the estimate is not.
 * @rule S2.5.accrual S3.accrualStatus
 */
function accrualNow(state: AccountState, moment: Moment): CycleInProgress {
  const { amount, earliestPeriodStartMs } = sumUnpaidTotals(state);
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
