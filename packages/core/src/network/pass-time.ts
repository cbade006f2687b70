/**
 * What time alone brings about. Every piece of it has a moment at which it falls due; all that is
 * over is made up oldest first, at the prices of now, and the events' own times say how late.
 */
import type { AccountState } from "../account/account.ts";
import { carryDueMs, chargeCarry } from "../account/charge-carry.ts";
import { equityOf } from "../account/equity.ts";
import type { Instruments } from "../market/instrument.ts";
import { closeCycle } from "../payouts/cycle.ts";
import { endTransition } from "../pro/offer.ts";
import { promoteOnObjectives } from "../pro/promotion.ts";
import { latchSoftBreach } from "../pro/soft-breach.ts";
import { eliminationBy } from "../rules/elimination.ts";
import { inactivityDueMs, inactivityElimination } from "../rules/inactivity.ts";
import { dayEndBreach } from "../rules/registry.ts";
import { nextUtcMidnight } from "../time/utc-day.ts";
import { startOfUtcWeek } from "../time/utc-week.ts";
import type { UnixMs } from "../units.ts";
import type { Draft } from "./draft.ts";
import { eliminate } from "./elimination.ts";
import { judge } from "./judge.ts";

/** False: it has to wait, because something that is open cannot be valued yet. */
type Work = (draft: Draft, dueMs: UnixMs) => boolean;

interface Due {
  readonly dueMs: UnixMs;
  readonly work: Work;
}

/** Does everything that fell due, once: a second run finds nothing. @rule D7.clockWork */
export function passTime(draft: Draft): void {
  const { instruments, now } = draft.moment;
  for (;;) {
    const due = nextDue(draft.state, instruments);
    if (due === null || due.dueMs > now || !due.work(draft, due.dueMs)) return;
    judge(draft);
  }
}

/** When `passTime` next has something to do for the account; null: never again. @rule D7.clockWork */
export function dueAtMs(state: AccountState, instruments: Instruments): UnixMs | null {
  return nextDue(state, instruments)?.dueMs ?? null;
}

/** Of several at one moment the first of the list: a day is ended after what it still has to pay. */
function nextDue(state: AccountState, instruments: Instruments): Due | null {
  if (state.status !== "active") return null;
  const midnight: Due = { dueMs: nextUtcMidnight(state.day.startMs), work: endDay };
  const carryMs = carryDueMs(state, instruments);
  const idleMs = inactivityDueMs(state);
  let next = midnight;
  if (carryMs !== null && carryMs <= next.dueMs) next = { dueMs: carryMs, work: chargeCarry };
  if (idleMs !== null && idleMs < next.dueMs) next = { dueMs: idleMs, work: endForInactivity };
  return next;
}

/**
 * Ends the UTC day: the limit that is checked then, the day's judgement on the pro track, on a
 * Monday the payout cycle and the end of a transition, and last the promotion.
 * @rule D7.midnight S2.1.2.trailing
 */
function endDay(draft: Draft, midnightMs: UnixMs): boolean {
  const equity = equityOf(draft.state, draft.moment);
  if (!equity.ok) return false;
  const { startMs } = draft.state.day;
  draft.record({ type: "dayEnded", midnightMs, equity: equity.value, balance: draft.balance });
  const breach = dayEndBreach(draft.state);
  if (breach !== null) {
    eliminate(draft, eliminationBy(draft.state, breach, midnightMs));
    return true;
  }
  latchSoftBreach(draft, { startMs, equity: equity.value });
  if (startOfUtcWeek(midnightMs) === midnightMs) endWeek(draft, midnightMs);
  promoteOnObjectives(draft, { midnightMs, equity: equity.value });
  return true;
}

/** @rule D7.week */
function endWeek(draft: Draft, mondayMs: UnixMs): void {
  const transition = draft.state.pro?.transition ?? null;
  if (transition !== null && transition.endsAtMs <= mondayMs) endTransition(draft, mondayMs);
  else closeCycle(draft, mondayMs);
}

function endForInactivity(draft: Draft, dueMs: UnixMs): boolean {
  eliminate(draft, inactivityElimination(dueMs));
  return true;
}
