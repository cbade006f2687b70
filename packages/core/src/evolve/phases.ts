/** The changes of phase: which figures restart and which carry over. */

import { assert } from "../assert.ts";
import type { AccountState, Day } from "../state/account.ts";
import type { Earning } from "../state/earning.ts";
import type {
  ChallengePassed,
  DrawdownDeepened,
  LimitNeared,
  ProOffered,
  ProPromoted,
  ProStarted,
  SoftBreached,
} from "../state/event.ts";
import type { ProTrack } from "../state/pro-track.ts";
import type { Terms } from "../state/terms.ts";
import { type MicroUsd, microUsd, ratio, type UnixMs, unixMs } from "../units.ts";
import { INITIAL_STATISTICS } from "./counted-days.ts";
import { dayReturnSoFar } from "./daily-returns.ts";

/** The funded account restarts at its size, and earns from then on. @rule D7.restart */
export function applyChallengePassed(state: AccountState, event: ChallengePassed): AccountState {
  return {
    ...restartAtSize(state, state.terms, event.equity),
    phase: "funded",
    phaseStartedAtMs: event.atMs,
    earning: startEarning(event.atMs),
  };
}

/**
 * The account enters the transition to its pro account. Its present terms apply until the transition ends.
 * @rule S2.1.1.phase
 */
export function applyProOffered(state: AccountState, event: ProOffered): AccountState {
  const { terms, transitionEndsAtMs: endsAtMs } = event;
  return {
    ...state,
    phase: "proTransition",
    phaseStartedAtMs: event.atMs,
    pro: {
      proSize: terms.size,
      objectives: terms.objectives,
      payoutScale: ratio(1),
      transition: { endsAtMs, terms },
      statistics: null,
      breachedDayMs: null,
      deferred: microUsd(0),
    },
  };
}

/**
 * The pro account restarts at its size. A pro challenge that follows a funded account is paid at the payout scale of
 * its own terms. One that replaces a challenge is not paid. @rule S2.1.1.phase D7.scale
 */
export function applyProStarted(state: AccountState, event: ProStarted): AccountState {
  const { terms, phase, startMs } = event;
  const earns = phase === "proChallengeFromStandard";
  const pro: ProTrack = {
    proSize: terms.size,
    objectives: terms.objectives,
    payoutScale: earns ? terms.challengePayoutScale : ratio(1),
    transition: null,
    statistics: INITIAL_STATISTICS,
    breachedDayMs: null,
    deferred: microUsd(0),
  };
  const transition = { startMs: state.phaseStartedAtMs, endMs: startMs };
  return {
    ...restartAtSize(state, terms, event.equity),
    idleSinceMs: earns ? shiftIdleSince(state.idleSinceMs, transition) : state.idleSinceMs,
    phase,
    phaseStartedAtMs: startMs,
    earning: earns ? startEarning(startMs) : null,
    pro,
  };
}

/**
 * The pro account is funded: its phase and its payouts change, nothing else. Later profit is paid at the full scale.
 * The payout mark (`mark`), which is the highest profit at the end of any cycle or at a promotion, never falls.
 * @rule D7.promotion @rule D13.mark decides
 */
export function applyProPromoted(state: AccountState, event: ProPromoted): AccountState {
  assert(state.pro !== null, "a promotion on the pro track");
  const mark = microUsd(Math.max(state.earning?.mark ?? 0, event.profit, 0));
  return {
    ...state,
    phase: "proFunded",
    phaseStartedAtMs: event.promotedMs,
    earning: { ...startEarning(event.promotedMs), mark },
    pro: { ...state.pro, payoutScale: ratio(1) },
  };
}

/** The account with a new maximum drawdown. @rule D7.maxDrawdown */
export function applyDrawdownDeepened(state: AccountState, event: DrawdownDeepened): AccountState {
  const { maxDrawdown } = event;
  const statistics = state.pro?.statistics ?? null;
  assert(state.pro !== null && statistics !== null, "statistics of a pro account");
  return { ...state, pro: { ...state.pro, statistics: { ...statistics, maxDrawdown } } };
}

/**
 * The account with a record of its newest soft breach: the day that ended with the Calmar ratio or the consistency
 * beyond its target. @rule S2.1.1.softBreach
 */
export function applySoftBreached(state: AccountState, event: SoftBreached): AccountState {
  assert(state.pro !== null, "a day on the pro track");
  return { ...state, pro: { ...state.pro, breachedDayMs: event.dayStartMs } };
}

/**
 * The account with the newest recorded level of a loss limit, and the day on which it was reached. @rule D9.limitNeared
 */
export function applyLimitNeared(state: AccountState, { rule, level }: LimitNeared): AccountState {
  const { startMs: dayStartMs } = state.day;
  return { ...state, neared: { ...state.neared, [rule]: { level, dayStartMs } } };
}

/**
 * Restarts the balance, the equity at the day's start and the end-of-day figures at the size of the terms. The return
 * since the last midnight, the record of trades and the time of the last activity stay.
 */
function restartAtSize(state: AccountState, terms: Terms, equity: MicroUsd): AccountState {
  assert(state.positions.length === 0, "an account restarts without open positions");
  const { size } = terms;
  const day: Day = {
    startMs: state.day.startMs,
    startEquity: size,
    earlierReturn: dayReturnSoFar(state.day, equity),
  };
  // The limits of the new phase have other anchors, so the recorded levels are dropped.
  const { neared: _neared, ...rest } = state;
  return {
    ...rest,
    terms,
    realized: microUsd(0),
    fees: microUsd(0),
    day,
    endOfDay: { equity: size, highWater: size },
  };
}

function startEarning(at: UnixMs): Earning {
  return { sinceMs: at, windowStartMs: at, mark: microUsd(0), lastFillAtMs: null };
}

/**
 * The time of the last activity, moved to a later time so that the transition does not count as idle time. Null before
 * the first activity. @rule D13.idle decides
 */
function shiftIdleSince(
  idleSinceMs: UnixMs | null,
  transition: { readonly startMs: UnixMs; readonly endMs: UnixMs },
): UnixMs | null {
  if (idleSinceMs === null) return null;
  const idleMs = Math.max(0, transition.startMs - idleSinceMs);
  return unixMs(transition.endMs - idleMs);
}
