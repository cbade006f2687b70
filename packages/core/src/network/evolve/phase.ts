/** How an account goes from one phase to the next: what begins again, and what is carried over. */
import type { AccountState, Day } from "../../account/account.ts";
import { returnedSoFar } from "../../account/daily-returns.ts";
import { assert } from "../../assert.ts";
import type { Earning } from "../../payouts/earning.ts";
import { FIRST_STATISTICS } from "../../pro/statistics.ts";
import type { ProTrack } from "../../pro/track.ts";
import type { Terms } from "../../rules/terms.ts";
import { type MicroUsd, microUsd, ratio, type UnixMs } from "../../units.ts";
import type {
  ChallengePassed,
  DrawdownDeepened,
  ProOffered,
  ProPromoted,
  ProStarted,
  SoftBreached,
} from "../event.ts";

/** @rule D7.pass */
export function passChallenge(state: AccountState, event: ChallengePassed): AccountState {
  return {
    ...beginAgain(state, state.terms, event.equity),
    phase: "funded",
    phaseStartedAtMs: event.atMs,
    earning: earningFrom(event.atMs),
  };
}

/** @rule S2.1.1.phase */
export function offerPro(state: AccountState, event: ProOffered): AccountState {
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

/** The pro challenge of a funded trader earns, at its scale; a direct one does not. @rule S2.1.1.phase D7.scale */
export function startPro(state: AccountState, event: ProStarted): AccountState {
  const { terms, phase, startMs } = event;
  const earns = phase === "proChallengeFromStandard";
  const pro: ProTrack = {
    proSize: terms.size,
    objectives: terms.objectives,
    payoutScale: earns ? terms.challengePayoutScale : ratio(1),
    transition: null,
    statistics: FIRST_STATISTICS,
    breachedDayMs: null,
    deferred: microUsd(0),
  };
  return {
    ...beginAgain(state, terms, event.equity),
    phase,
    phaseStartedAtMs: startMs,
    earning: earns ? earningFrom(startMs) : null,
    pro,
  };
}

/** Everything stays but the payout base: what is earned from here on is paid in full. @rule D7.promotion */
export function promotePro(state: AccountState, event: ProPromoted): AccountState {
  assert(state.pro !== null, "a promotion on the pro track");
  return {
    ...state,
    phase: "proFunded",
    phaseStartedAtMs: event.promotedMs,
    earning: { ...earningFrom(event.promotedMs), mark: event.profit },
    pro: { ...state.pro, payoutScale: ratio(1) },
  };
}

/** @rule D7.maxDrawdown */
export function deepenDrawdown(state: AccountState, event: DrawdownDeepened): AccountState {
  const { maxDrawdown } = event;
  const statistics = state.pro?.statistics ?? null;
  assert(state.pro !== null && statistics !== null, "statistics of a pro account");
  return { ...state, pro: { ...state.pro, statistics: { ...statistics, maxDrawdown } } };
}

/** @rule S2.1.1.softBreach */
export function breachSoftly(state: AccountState, event: SoftBreached): AccountState {
  assert(state.pro !== null, "a day on the pro track");
  return { ...state, pro: { ...state.pro, breachedDayMs: event.dayStartMs } };
}

/** A ledger at its size and a day that starts there; its trades and its activity stay. */
function beginAgain(state: AccountState, terms: Terms, equity: MicroUsd): AccountState {
  assert(state.positions.length === 0, "an account that begins again with nothing open");
  const { size } = terms;
  const day: Day = {
    startMs: state.day.startMs,
    startEquity: size,
    earlierReturn: returnedSoFar(state.day, equity),
  };
  return {
    ...state,
    terms,
    realized: microUsd(0),
    fees: microUsd(0),
    day,
    endOfDay: { equity: size, highWater: size },
  };
}

function earningFrom(at: UnixMs): Earning {
  return { sinceMs: at, windowStartMs: at, mark: microUsd(0), lastFillAtMs: null };
}
