// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";

/** One promotion objective. */
export interface Objective {
  /** The objective. */
  readonly key: "return" | "calmar" | "consistency" | "days";
  /** The objective's name for display. */
  readonly label: string;
  /**
   * `return` and `consistency`: a ratio (0.06 is 6 %); `calmar`: a plain number; `days`: a count;
   * null when unknown.
   */
  readonly value: number | null;
  /** The value to reach, in the same unit; null when unknown. */
  readonly threshold: number | null;
  /** False if the value must stay at or below the threshold. */
  readonly higherIsBetter: boolean;
  /** Whether the objective is met; null while value or threshold is unknown. */
  readonly met: boolean | null;
}

/** The pro track; null for accounts that are not on it. */
export interface ProTrack<Unsent extends Linked = never> {
  /**
   * `transition`: the standard account winds down until the network starts the pro account; then
   * `challenge`, and `funded` once all objectives are met.
   */
  readonly phase: "transition" | "challenge" | "funded";
  /** The next Monday 00:00 UTC; null outside the transition. */
  readonly transitionEndsAtMs: number | null;
  /** Size of the standard account, USD; null when not reported. */
  readonly standardAccountSize: number | null;
  /** Size of the pro account, USD; null when not reported. */
  readonly proAccountSize: number | null;
  /** False when the network sent no pro statistics on this read. */
  readonly hasStats: boolean;
  /** True once the first full trading day has been tracked. */
  readonly evaluated: boolean;
  /** The promotion objectives. */
  readonly objectives: readonly Objective[];
  /** All-time maximum drawdown as a percent; 0 while `hasStats` is false. */
  readonly maxDrawdownPercent: number | Unsent;
  /** True only for funded pro accounts. */
  readonly softBreachApplies: boolean;
  /** True while this week's reward is held. */
  readonly softBreach: boolean | Unsent;
}
