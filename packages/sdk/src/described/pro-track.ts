// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";

/** An objective of the promotion to a funded pro account. */
export interface Objective {
  /** The kind of objective. */
  readonly key: "return" | "calmar" | "consistency" | "days";
  /** Name of the objective for display. */
  readonly label: string;
  /**
   * `return` and `consistency`: a ratio, so 0.06 is 6 %. `calmar`: the Calmar ratio. `days`: a
   * number of full trading days. Null when unknown.
   */
  readonly value: number | null;
  /** The value to reach, in the unit of `value`; null when unknown. */
  readonly threshold: number | null;
  /** True if `value` must be at least `threshold`; false if it must be at most `threshold`. */
  readonly higherIsBetter: boolean;
  /** Whether the objective is met; null while `value` or `threshold` is unknown. */
  readonly met: boolean | null;
}

/** The account's progress on the pro track; null for accounts that are not on it. */
export interface ProTrack<Unsent extends Linked = never> {
  /**
   * `transition`: the standard account winds down until the network starts the pro account.
   * `challenge`: the pro account works towards its objectives. `funded`: it is promoted.
   */
  readonly phase: "transition" | "challenge" | "funded";
  /** When the transition ends: the next Monday 00:00 UTC; null in other phases. */
  readonly transitionEndsAtMs: number | null;
  /** Size of the standard account, USD; null when the network did not report it. */
  readonly standardAccountSize: number | null;
  /** Size of the pro account, USD; null when the network did not report it. */
  readonly proAccountSize: number | null;
  /** False when the network sent no statistics of the pro account for this answer. */
  readonly hasStats: boolean;
  /** True after the network has tracked the first full trading day. */
  readonly evaluated: boolean;
  /** The promotion objectives. */
  readonly objectives: readonly Objective[];
  /** Maximum drawdown since the pro account started, in percent; 0 while `hasStats` is false. */
  readonly maxDrawdownPercent: number | Unsent;
  /** True only for funded pro accounts, whose weekly reward a soft breach holds. */
  readonly softBreachApplies: boolean;
  /** True while the reward of the current week is held. */
  readonly softBreach: boolean | Unsent;
}
