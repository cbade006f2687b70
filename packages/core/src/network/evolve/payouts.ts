import type { AccountState } from "../../account/account.ts";
import { assert } from "../../assert.ts";
import { addUsd, microUsd } from "../../units.ts";
import type { CycleClosed, DeferralForfeited, PayoutRecorded } from "../event.ts";

/** The mark only ever rises: a losing cycle is won back before anything earns again. @rule D7.payouts */
export function closeCycle(state: AccountState, event: CycleClosed): AccountState {
  const { earning, pro } = state;
  assert(earning !== null, "a cycle of an account that earns");
  const { profit, payout, periodEndMs, isHeld, share } = event;
  const mark = microUsd(Math.max(earning.mark, profit));
  return {
    ...state,
    earning: { ...earning, mark, windowStartMs: periodEndMs },
    unpaid: payout === null ? state.unpaid : [...state.unpaid, payout],
    pro:
      pro === null
        ? null
        : { ...pro, deferred: isHeld ? addUsd(pro.deferred, share) : microUsd(0) },
  };
}

/** @rule D7.forfeit */
export function forfeitDeferral(state: AccountState, event: DeferralForfeited): AccountState {
  assert(state.pro?.deferred === event.amount, "all that was withheld");
  return { ...state, pro: { ...state.pro, deferred: microUsd(0) } };
}

/** A paid one leaves the account for its history. @rule D7.payment */
export function recordPayout(state: AccountState, { payout }: PayoutRecorded): AccountState {
  const isPaid = payout.payment.status === "paid";
  return {
    ...state,
    unpaid: state.unpaid.flatMap((known) => {
      if (known.id !== payout.id) return [known];
      return isPaid ? [] : [payout];
    }),
  };
}
