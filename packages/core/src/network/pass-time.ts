/**
 * Work that is due by time alone: carry, corporate actions, the day's end, inactivity, the dead man's switch. Overdue
 * work is done oldest first, at the present prices. Its events also hold the time at which it was due.
 */

import { carryDueMs, chargeCarry } from "../account/charge-carry.ts";
import { awaitedPrice, judgedEquity } from "../account/judging-price.ts";
import { payDividend } from "../account/pay-dividend.ts";
import type { CorporateAction } from "../market/corporate-action.ts";
import type { Instruments } from "../market/instrument.ts";
import { barredEntries, cancelBarredEntries } from "../orders/barred-entries.ts";
import { fireSwitch, switchDueMs } from "../orders/dead-mans-switch.ts";
import { closeCycle } from "../payouts/cycle.ts";
import { carryOutSplit } from "../positions/carry-out-split.ts";
import { endTransition } from "../pro/offer.ts";
import { promoteOnObjectives } from "../pro/promotion.ts";
import { recordSoftBreach } from "../pro/soft-breach.ts";
import { eliminationByBreach } from "../rules/elimination-cause.ts";
import { inactivityDueMs, inactivityElimination } from "../rules/inactivity.ts";
import { dayEndBreach } from "../rules/registry.ts";
import type { AccountState } from "../state/account.ts";
import type { Draft } from "../state/draft.ts";
import type { Moment } from "../state/moment.ts";
import { firstPendingAction } from "../state/pending-actions.ts";
import { nextUtcMidnight } from "../time/utc-day.ts";
import { startOfUtcWeek } from "../time/utc-week.ts";
import type { UnixMs } from "../units.ts";
import { eliminate } from "./eliminate.ts";
import { judge, judgeDayEnd } from "./judge.ts";

/**
 * Does a piece of due work. Returns false when the work has to wait for a price that may judge the account.
 * @rule D13.judges
 */
type DueWork = (draft: Draft, dueMs: UnixMs) => boolean;

interface DueItem {
  readonly dueMs: UnixMs;
  readonly isCarry: boolean;
  readonly run: DueWork;
}

/**
 * Does all work that is due, then cancels entries that may not open or add. A second run at the same moment does
 * nothing. @rule D7.clockWork D13.barredEntries
 */
export function passTime(draft: Draft): void {
  doDueWork(draft);
  cancelBarredEntries(draft);
}

/**
 * Does the due work of the account, the oldest first and each piece once, and judges the account after each piece.
 * Stops when work has to wait for a price. @rule D7.clockWork decides
 */
function doDueWork(draft: Draft): void {
  for (;;) {
    const due = nextDueItem(draft.state, draft.moment);
    if (due === null || due.dueMs > draft.moment.now) return;
    if (due.run(draft, due.dueMs)) judge(draft, "clock");
    else if (!doWorkWithoutPrice(draft)) return;
  }
}

/**
 * Does the due work that needs no price while the rest waits for one. Splits and dividends are carried out, because
 * stops and targets have to be in the scale of the quotes that reach them. A due switch fires, because it may have
 * orders to cancel. Returns true when a switch fired: the position whose price was awaited may be closed then, so the
 * rest is tried again. @rule D11.order D13.judges
 */
function doWorkWithoutPrice(draft: Draft): boolean {
  for (;;) {
    const action = firstPendingAction(draft.state, draft.moment);
    if (action === null || !carryOutAction(action)(draft, action.atMs)) break;
  }
  const switchMs = switchDueMs(draft.state);
  if (switchMs === null || switchMs > draft.moment.now) return false;
  fireSwitch(draft, switchMs);
  judge(draft, "clock");
  return true;
}

/**
 * When `passTime` next has work for the account, apart from corporate actions and entries to cancel. Null when it never
 * has, because the account is not active. @rule D7.clockWork
 */
export function earliestDueMs(state: AccountState, instruments: Instruments): UnixMs | null {
  return nextScheduledItem(state, instruments)?.dueMs ?? null;
}

/** Whether `passTime` would try to do work for the account now. The work may still wait for a price. */
export function hasDueWork(state: AccountState, moment: Moment): boolean {
  const due = nextDueItem(state, moment);
  const isDue = due !== null && due.dueMs <= moment.now;
  return isDue || barredEntries(state, moment.instruments).length > 0;
}

/**
 * The next work of an active account; null for any other account. When several pieces are due at the same moment, carry
 * comes first, then a corporate action, the day's end, inactivity and the dead man's switch. When this work waits for a
 * price, `doWorkWithoutPrice` still carries out the actions. @rule D11.order decides
 */
function nextDueItem(state: AccountState, moment: Moment): DueItem | null {
  const next = nextScheduledItem(state, moment.instruments);
  const action = next === null ? null : firstPendingAction(state, moment);
  if (next === null || action === null) return next;
  const isFirst = action.atMs < next.dueMs || (action.atMs === next.dueMs && !next.isCarry);
  return isFirst ? { dueMs: action.atMs, isCarry: false, run: carryOutAction(action) } : next;
}

function carryOutAction(action: CorporateAction): DueWork {
  return (draft) => {
    if (action.kind === "dividend") return payDividend(draft, action);
    carryOutSplit(draft, action);
    return true;
  };
}

/**
 * The next work apart from corporate actions. At the same moment carry comes first, then the day's end, inactivity and
 * the dead man's switch.
 */
function nextScheduledItem(state: AccountState, instruments: Instruments): DueItem | null {
  if (state.status !== "active") return null;
  const midnightMs = nextUtcMidnight(state.day.startMs);
  const midnight: DueItem = { dueMs: midnightMs, isCarry: false, run: endDay };
  const carryMs = carryDueMs(state, instruments);
  const idleMs = inactivityDueMs(state);
  let next = midnight;
  if (carryMs !== null && carryMs <= next.dueMs) {
    next = { dueMs: carryMs, isCarry: true, run: chargeCarry };
  }
  if (idleMs !== null && idleMs < next.dueMs) {
    next = { dueMs: idleMs, isCarry: false, run: endForInactivity };
  }
  const switchMs = switchDueMs(state);
  if (switchMs !== null && switchMs < next.dueMs) {
    next = { dueMs: switchMs, isCarry: false, run: endSwitch };
  }
  return next;
}

/**
 * Ends the UTC day and starts the next one at the present equity: checks the end-of-day limits and the daily targets of
 * the pro track, on a Monday closes the payout cycle or ends a transition, and finally promotes an account that meets
 * the pro objectives. Returns false, and does not change the account, while the account waits for a price.
 * @rule S2.1.2.trailing @rule D7.midnight decides
 */
function endDay(draft: Draft, midnightMs: UnixMs): boolean {
  const equity = judgedEquity(draft.state, draft.moment, "clock");
  if (!equity.ok) return false;
  const { startMs } = draft.state.day;
  draft.record({ type: "dayEnded", midnightMs, equity: equity.value, balance: draft.balance });
  const breach = dayEndBreach(draft.state);
  if (breach !== null) {
    eliminate(draft, eliminationByBreach(draft.state, breach, midnightMs));
    return true;
  }
  judgeDayEnd(draft);
  recordSoftBreach(draft, { startMs, equity: equity.value });
  if (startOfUtcWeek(midnightMs) === midnightMs) endWeek(draft, midnightMs);
  promoteOnObjectives(draft, { midnightMs, equity: equity.value });
  return true;
}

/** On a Monday ends a transition that is due, else closes the payout cycle. @rule D7.week */
function endWeek(draft: Draft, mondayMs: UnixMs): void {
  const transition = draft.state.pro?.transition ?? null;
  if (transition !== null && transition.endsAtMs <= mondayMs) endTransition(draft, mondayMs);
  else closeCycle(draft, mondayMs);
}

function endSwitch(draft: Draft, dueMs: UnixMs): boolean {
  fireSwitch(draft, dueMs);
  return true;
}

function endForInactivity(draft: Draft, dueMs: UnixMs): boolean {
  // The positions are closed at the present prices, which therefore have to be able to judge the account.
  if (awaitedPrice(draft.state, draft.moment, "clock") !== null) return false;
  eliminate(draft, inactivityElimination(dueMs));
  return true;
}
