import { objectivesAt, statisticsAt } from "../pro/objectives.ts";
import { isCycleHeld, softBreachApplies } from "../pro/soft-breach.ts";
import type { MicroUsd } from "../units.ts";
import type { AccountState, Phase } from "./account.ts";
import type { ProTrackFigures } from "./snapshot.ts";

/** Phases of the pro track in its own words; null: not on it. */
const TRACK_PHASES: Readonly<Record<Phase, ProTrackFigures["phase"] | null>> = {
  challenge: null,
  funded: null,
  proTransition: "transition",
  proChallengeDirect: "challenge",
  proChallengeFromStandard: "challenge",
  proFunded: "funded",
};

/** @rule S2.1.1.phase S2.1.1.objectives */
export function proTrackFigures(state: AccountState, equity: MicroUsd): ProTrackFigures | null {
  const { pro, standardSize } = state;
  const phase = TRACK_PHASES[state.phase];
  if (pro === null || phase === null) return null;
  return {
    phase,
    transitionEndsAtMs: pro.transition?.endsAtMs ?? null,
    standardSize,
    proSize: pro.proSize,
    statistics: pro.statistics === null ? null : statisticsAt(pro.statistics, state, equity),
    objectives: objectivesAt(state, pro, equity),
    softBreachApplies: softBreachApplies(state),
    softBreach: isCycleHeld(state),
  };
}
