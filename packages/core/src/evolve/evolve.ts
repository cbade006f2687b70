import { assert } from "../assert.ts";
import type { AccountState } from "../state/account.ts";
import type { Event } from "../state/event.ts";
import {
  applyAccountClosed,
  applyAccountEliminated,
  applyAccountOpened,
  applyAccountProvisioned,
} from "./account-life.ts";
import { applyDividendPaid, applySharesSplit } from "./corporate-actions.ts";
import { applyCarryCharged, applyDayEnded } from "./days.ts";
import {
  applySwitchArmed,
  applySwitchEnded,
  applySwitchFired,
  applySwitchSuspended,
} from "./dead-mans-switch.ts";
import { applyOrderFilled, applyPositionClosed } from "./fills.ts";
import { applyCycleClosed, applyDeferralForfeited, applyPayoutRecorded } from "./payout-cycles.ts";
import {
  applyLegsAttached,
  applyOrderCancelled,
  applyOrderEdited,
  applyOrderHeld,
  applyOrderPlaced,
  applyOrderRejected,
  applyStopTriggered,
  applyTrailMoved,
} from "./pending-orders.ts";
import {
  applyChallengePassed,
  applyDrawdownDeepened,
  applyLimitNeared,
  applyProOffered,
  applyProPromoted,
  applyProStarted,
  applySoftBreached,
} from "./phases.ts";

/**
 * Applies an event to an account. No other function makes a state, so replaying the journal from its first event gives
 * the same state again. `before` is null only for `accountOpened`. @rule S3.orders
 */
export function evolve(before: AccountState | null, event: Event): AccountState {
  if (event.type === "accountOpened") return applyAccountOpened(before, event);
  assert(before !== null, `an account before its ${event.type}`);
  const state: AccountState = before;
  switch (event.type) {
    case "accountProvisioned":
      return applyAccountProvisioned(state, event);
    case "accountClosed":
      return applyAccountClosed(state);
    case "accountEliminated":
      return applyAccountEliminated(state, event);
    case "orderPlaced":
      return applyOrderPlaced(state, event);
    case "orderEdited":
      return applyOrderEdited(state, event);
    case "orderCancelled":
      return applyOrderCancelled(state, event);
    case "orderRejected":
      return applyOrderRejected(state, event);
    case "orderHeld":
      return applyOrderHeld(state, event);
    case "stopTriggered":
      return applyStopTriggered(state, event);
    case "trailMoved":
      return applyTrailMoved(state, event);
    case "legsAttached":
      return applyLegsAttached(state, event);
    case "orderFilled":
      return applyOrderFilled(state, event);
    case "positionClosed":
      return applyPositionClosed(state, event);
    case "dayEnded":
      return applyDayEnded(state, event);
    case "carryCharged":
      return applyCarryCharged(state, event);
    case "sharesSplit":
      return applySharesSplit(state, event);
    case "dividendPaid":
      return applyDividendPaid(state, event);
    case "challengePassed":
      return applyChallengePassed(state, event);
    case "proOffered":
      return applyProOffered(state, event);
    case "proStarted":
      return applyProStarted(state, event);
    case "proPromoted":
      return applyProPromoted(state, event);
    case "drawdownDeepened":
      return applyDrawdownDeepened(state, event);
    case "softBreached":
      return applySoftBreached(state, event);
    case "limitNeared":
      return applyLimitNeared(state, event);
    case "cycleClosed":
      return applyCycleClosed(state, event);
    case "deferralForfeited":
      return applyDeferralForfeited(state, event);
    case "payoutRecorded":
      return applyPayoutRecorded(state, event);
    case "switchArmed":
      return applySwitchArmed(state, event);
    case "switchSuspended":
      return applySwitchSuspended(state, event);
    case "switchEnded":
      return applySwitchEnded(state);
    case "switchFired":
      return applySwitchFired(state, event);
  }
}
