import type { MicroUsd, Ratio, UnixMs } from "../units.ts";
import type { ProObjectives, ProTerms } from "./terms.ts";

/** The pro track of an account that was offered a pro account. @rule S2.1.1.phase */
export interface ProTrack {
  readonly proSize: MicroUsd;
  readonly objectives: ProObjectives;
  /** The scale of this phase's payouts; other than 1 only in a pro challenge that follows a funded account. */
  readonly payoutScale: Ratio;
  /** The transition of the standard account; null in other phases. */
  readonly transition: Transition | null;
  /** The statistics of the pro account; null until it has started. */
  readonly statistics: ProStatistics | null;
  /**
   * The start of the last UTC day that ended beyond the target of the Calmar ratio or of the consistency; null when
   * there is none.
   */
  readonly breachedDayMs: UnixMs | null;
  /**
   * Shares that are withheld because a day of their cycles ended beyond the target of the Calmar ratio or of the
   * consistency. A later cycle without such a day releases them.
   */
  readonly deferred: MicroUsd;
}

/** The transition of a standard account: the time from the offer to the start of its pro account. */
export interface Transition {
  /** When the transition ends: the first Monday 00:00 UTC strictly after the offer. */
  readonly endsAtMs: UnixMs;
  /** The terms of the pro account. */
  readonly terms: ProTerms;
}

/** Statistics of a pro account, counted from its start. */
export interface ProStatistics {
  /** The time of the first trade of the pro account; null before it. */
  readonly firstTradeAtMs: UnixMs | null;
  /** The number of full days: ended UTC days that began at or after the first trade. */
  readonly tradingDays: number;
  /**
   * The highest return of a full day, and in `sumOfDays` the sum of the returns of all full days. A gain above
   * `countedDayGain` counts as `countedDayGain`.
   */
  readonly bestDay: Ratio;
  readonly sumOfDays: Ratio;
  /** The largest fall of live equity below the end-of-day high-water mark, as a fraction of that high-water mark. */
  readonly maxDrawdown: Ratio;
}
