import { awaitedPrice } from "../account/judging-price.ts";
import { isCycleHeld, softBreachApplies } from "../payouts/held-cycle.ts";
import { type Objective, objectivesOf, statisticsAt } from "../pro/objectives.ts";
import type { AccountState, Phase } from "../state/account.ts";
import type { Moment } from "../state/moment.ts";
import type { ProStatistics } from "../state/pro-track.ts";
import type { MicroUsd, UnixMs } from "../units.ts";

/** @rule S2.1.1.phase */
export interface ProTrackFigures {
  readonly phase: "transition" | "challenge" | "funded";
  /** Null outside the transition. */
  readonly transitionEndsAtMs: UnixMs | null;
  readonly standardSize: MicroUsd;
  readonly proSize: MicroUsd;
  /** Null until the pro account has started. */
  readonly statistics: ProStatistics | null;
  readonly objectives: readonly Objective[];
  readonly softBreachApplies: boolean;
  /** True while the cycle in progress is held. */
  readonly softBreach: boolean;
}

/** The phase within the pro track; null when the account is not on it. */
const TRACK_PHASES: Readonly<Record<Phase, ProTrackFigures["phase"] | null>> = {
  challenge: null,
  funded: null,
  proTransition: "transition",
  proChallengeDirect: "challenge",
  proChallengeFromStandard: "challenge",
  proFunded: "funded",
};

/**
 * With the drawdown of this equity, which is recorded a little later, unless a price is awaited: then it never will be.
 * @rule S2.1.1.phase S2.1.1.objectives D7.maxDrawdown D13.judges
 */
export function proTrackFigures(
  state: AccountState,
  equity: MicroUsd,
  prices: Pick<Moment, "now" | "quotes" | "instruments">,
): ProTrackFigures | null {
  const { pro, standardSize } = state;
  const phase = TRACK_PHASES[state.phase];
  if (pro === null || phase === null) return null;
  const isJudged = awaitedPrice(state, prices, "quote") === null;
  const statistics =
    pro.statistics === null || !isJudged
      ? pro.statistics
      : statisticsAt(pro.statistics, state, equity);
  return {
    phase,
    transitionEndsAtMs: pro.transition?.endsAtMs ?? null,
    standardSize,
    proSize: pro.proSize,
    statistics,
    objectives: objectivesOf(state, { ...pro, statistics }, equity),
    softBreachApplies: softBreachApplies(state),
    softBreach: isCycleHeld(state),
  };
}
