import { assert } from "../assert.ts";
import type { AccountState } from "../state/account.ts";
import type { Event } from "../state/event.ts";
import {
  accountClosed,
  accountEliminated,
  accountOpened,
  accountProvisioned,
} from "./account-life.ts";
import { dividendPaid, sharesSplit } from "./corporate-actions.ts";
import { carryCharged, dayEnded } from "./days.ts";
import { switchArmed, switchEnded, switchFired, switchSuspended } from "./dead-mans-switch.ts";
import { orderFilled, positionClosed } from "./fills.ts";
import { cycleClosed, deferralForfeited, payoutRecorded } from "./payout-cycles.ts";
import {
  legsAttached,
  orderCancelled,
  orderEdited,
  orderHeld,
  orderPlaced,
  orderRejected,
  stopTriggered,
  trailMoved,
} from "./pending-orders.ts";
import {
  challengePassed,
  drawdownDeepened,
  limitNeared,
  proOffered,
  proPromoted,
  proStarted,
  softBreached,
} from "./phases.ts";

/**
 * Applies an event to an account. No other function makes a state, so replaying the journal from its first event gives
 * the same state again. `before` is null only for `accountOpened`. @rule S3.orders
 */
export function evolve(before: AccountState | null, event: Event): AccountState {
  if (event.type === "accountOpened") return accountOpened(before, event);
  assert(before !== null, `an account before its ${event.type}`);
  const state: AccountState = before;
  switch (event.type) {
    case "accountProvisioned":
      return accountProvisioned(state, event);
    case "accountClosed":
      return accountClosed(state);
    case "accountEliminated":
      return accountEliminated(state, event);
    case "orderPlaced":
      return orderPlaced(state, event);
    case "orderEdited":
      return orderEdited(state, event);
    case "orderCancelled":
      return orderCancelled(state, event);
    case "orderRejected":
      return orderRejected(state, event);
    case "orderHeld":
      return orderHeld(state, event);
    case "stopTriggered":
      return stopTriggered(state, event);
    case "trailMoved":
      return trailMoved(state, event);
    case "legsAttached":
      return legsAttached(state, event);
    case "orderFilled":
      return orderFilled(state, event);
    case "positionClosed":
      return positionClosed(state, event);
    case "dayEnded":
      return dayEnded(state, event);
    case "carryCharged":
      return carryCharged(state, event);
    case "sharesSplit":
      return sharesSplit(state, event);
    case "dividendPaid":
      return dividendPaid(state, event);
    case "challengePassed":
      return challengePassed(state, event);
    case "proOffered":
      return proOffered(state, event);
    case "proStarted":
      return proStarted(state, event);
    case "proPromoted":
      return proPromoted(state, event);
    case "drawdownDeepened":
      return drawdownDeepened(state, event);
    case "softBreached":
      return softBreached(state, event);
    case "limitNeared":
      return limitNeared(state, event);
    case "cycleClosed":
      return cycleClosed(state, event);
    case "deferralForfeited":
      return deferralForfeited(state, event);
    case "payoutRecorded":
      return payoutRecorded(state, event);
    case "switchArmed":
      return switchArmed(state, event);
    case "switchSuspended":
      return switchSuspended(state, event);
    case "switchEnded":
      return switchEnded(state);
    case "switchFired":
      return switchFired(state, event);
  }
}
