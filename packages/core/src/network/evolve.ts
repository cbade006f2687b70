import type { AccountState } from "../account/account.ts";
import { assert } from "../assert.ts";
import type { Event } from "./event.ts";
import { closeAccount, eliminateAccount, openAccount, provisionAccount } from "./evolve/account.ts";
import { chargeCarry, endDay } from "./evolve/day.ts";
import { closePosition, fillOrder } from "./evolve/fills.ts";
import {
  attachLegs,
  cancelOrder,
  editOrder,
  moveTrail,
  placeOrder,
  triggerStop,
} from "./evolve/orders.ts";
import { closeCycle, forfeitDeferral, recordPayout } from "./evolve/payouts.ts";
import {
  breachSoftly,
  deepenDrawdown,
  offerPro,
  passChallenge,
  promotePro,
  startPro,
} from "./evolve/phase.ts";

/**
 * What an event makes of an account: the only thing that ever makes a state, so that the journal,
 * replayed from its first event, gives the same state again. @rule S3.orders
 */
export function evolve(before: AccountState | null, event: Event): AccountState {
  if (event.type === "accountOpened") return openAccount(before, event);
  assert(before !== null, `an account before its ${event.type}`);
  const state: AccountState = before;
  switch (event.type) {
    case "accountProvisioned":
      return provisionAccount(state, event);
    case "accountClosed":
      return closeAccount(state);
    case "accountEliminated":
      return eliminateAccount(state, event);
    case "orderPlaced":
      return placeOrder(state, event);
    case "orderEdited":
      return editOrder(state, event);
    case "orderCancelled":
      return cancelOrder(state, event);
    case "stopTriggered":
      return triggerStop(state, event);
    case "trailMoved":
      return moveTrail(state, event);
    case "legsAttached":
      return attachLegs(state, event);
    case "orderFilled":
      return fillOrder(state, event);
    case "positionClosed":
      return closePosition(state, event);
    case "dayEnded":
      return endDay(state, event);
    case "carryCharged":
      return chargeCarry(state, event);
    case "challengePassed":
      return passChallenge(state, event);
    case "proOffered":
      return offerPro(state, event);
    case "proStarted":
      return startPro(state, event);
    case "proPromoted":
      return promotePro(state, event);
    case "drawdownDeepened":
      return deepenDrawdown(state, event);
    case "softBreached":
      return breachSoftly(state, event);
    case "cycleClosed":
      return closeCycle(state, event);
    case "deferralForfeited":
      return forfeitDeferral(state, event);
    case "payoutRecorded":
      return recordPayout(state, event);
  }
}
