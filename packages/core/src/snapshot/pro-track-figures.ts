import { awaitedPrice } from "../account/judging-price.ts";
import { isCycleHeld, softBreachApplies } from "../payouts/held-cycle.ts";
import { type Objective, objectivesOf, statisticsAt } from "../pro/objectives.ts";
import type { AccountState, Phase } from "../state/account.ts";
import type { Moment } from "../state/moment.ts";
import type { ProStatistics } from "../state/pro-track.ts";
import type { MicroUsd, UnixMs } from "../units.ts";

/** The figures of an account on the pro track. @rule S2.1.1.phase */
export interface ProTrackFigures {
  readonly phase: "transition" | "challenge" | "funded";
  /** When the transition of the standard account ends; null in other phases. */
  readonly transitionEndsAtMs: UnixMs | null;
  readonly standardSize: MicroUsd;
  readonly proSize: MicroUsd;
  /** The statistics of the pro account; null until it has started. */
  readonly statistics: ProStatistics | null;
  readonly objectives: readonly Objective[];
  readonly softBreachApplies: boolean;
  /** True while the payout of the cycle in progress is held. */
  readonly softBreach: boolean;
}

/** The phase within the pro track, for each phase of an account; null for a phase that is not on it. */
const TRACK_PHASES: Readonly<Record<Phase, ProTrackFigures["phase"] | null>> = {
  challenge: null,
  funded: null,
  proTransition: "transition",
  proChallengeDirect: "challenge",
  proChallengeFromStandard: "challenge",
  proFunded: "funded",
};

/**
 * The figures of the pro track; null when the account is not on it. They include the drawdown at `equity`, which an
 * event records a little later. While the account waits for a price, that drawdown is left out, because it will not be
 * recorded. @rule S2.1.1.phase S2.1.1.objectives D7.maxDrawdown D13.judges
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
