import { OBJECTIVE_LABELS, type Objective, type ProTrack } from "@propgate/contract";
import { dollars, type Objective as ObjectiveFigures, type ProTrackFigures } from "@propgate/core";
import { OBJECTIVE_WORDS, PRO_PHASE_WORDS } from "../wire.ts";
import { roundedPercent } from "./format.ts";

/** The account's state on the pro track; null for an account that is not on it. @rule S2.1.1 decides */
export function proTrackView(track: ProTrackFigures | null): ProTrack | null {
  if (track === null) return null;
  const { statistics } = track;
  return {
    phase: PRO_PHASE_WORDS[track.phase],
    transitionEndsAtMs: track.transitionEndsAtMs,
    standardAccountSize: dollars(track.standardSize),
    proAccountSize: dollars(track.proSize),
    hasStats: statistics !== null,
    evaluated: statistics !== null && statistics.tradingDays >= 1,
    objectives: track.objectives.map(objectiveItem),
    // The contract requires a number here; 0 means that there are no statistics.
    maxDrawdownPercent: roundedPercent(statistics?.maxDrawdown ?? 0),
    softBreachApplies: track.softBreachApplies,
    softBreach: track.softBreach,
  };
}

function objectiveItem(objective: ObjectiveFigures): Objective {
  const key = OBJECTIVE_WORDS[objective.key];
  return {
    key,
    label: OBJECTIVE_LABELS[key],
    value: objective.value,
    threshold: objective.threshold,
    higherIsBetter: objective.higherIsBetter,
    met: objective.met,
  };
}

/**
 * Whether the pro account is running; in the transition it is still the standard account.
 * @rule S2.1.1
 */
export function isProRunning(track: ProTrackFigures | null): boolean {
  return track !== null && track.phase !== "transition";
}

/**
 * The number of trading days of the pro account: 0 in the transition, which has no statistics. Null without statistics
 * in another phase, and when the account is not on the pro track.
 * @rule S2.1.1
 */
export function tradingDays(track: ProTrackFigures | null): number | null {
  if (track?.phase === "transition") return 0;
  return track?.statistics?.tradingDays ?? null;
}
