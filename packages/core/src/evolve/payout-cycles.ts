import { assert } from "../assert.ts";
import type { AccountState } from "../state/account.ts";
import type { CycleClosed, DeferralForfeited, PayoutRecorded } from "../state/event.ts";
import { microUsd } from "../units.ts";

/**
 * The account after a payout cycle was closed. The payout of the cycle is unpaid at first; a withheld share is added to
 * the deferred amount, and released shares leave it. The payout mark (`mark`) never falls, so losses have to be
 * recovered before further profit is paid. @rule D7.payouts D13.mark
 */
export function applyCycleClosed(state: AccountState, event: CycleClosed): AccountState {
  const { earning, pro } = state;
  assert(earning !== null, "a cycle of an account that earns");
  const { profit, payout, periodEndMs, isHeld, share, released } = event;
  const mark = microUsd(Math.max(earning.mark, profit));
  return {
    ...state,
    earning: { ...earning, mark, windowStartMs: periodEndMs },
    ...(periodEndMs > event.atMs ? { instantCycleEndMs: periodEndMs } : {}),
    unpaid: payout === null ? state.unpaid : [...state.unpaid, payout],
    pro:
      pro === null
        ? null
        : { ...pro, deferred: microUsd(pro.deferred - released + (isHeld ? share : 0)) },
  };
}

/** The account without the shares that soft breaches have withheld. @rule D7.forfeit */
export function applyDeferralForfeited(
  state: AccountState,
  event: DeferralForfeited,
): AccountState {
  assert(state.pro?.deferred === event.amount, "a forfeiture takes all that was withheld");
  return { ...state, pro: { ...state.pro, deferred: microUsd(0) } };
}

/** The account after a payment was recorded. A paid payout leaves the state. @rule D7.payment */
export function applyPayoutRecorded(state: AccountState, { payout }: PayoutRecorded): AccountState {
  const isPaid = payout.payment.status === "paid";
  return {
    ...state,
    unpaid: state.unpaid.flatMap((known) => {
      if (known.id !== payout.id) return [known];
      return isPaid ? [] : [payout];
    }),
  };
}
