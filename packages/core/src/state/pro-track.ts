import type { MicroUsd, Ratio, UnixMs } from "../units.ts";
import type { ProObjectives, ProTerms } from "./terms.ts";

/** The pro track of an account that was offered a pro account. @rule S2.1.1.phase */
export interface ProTrack {
  readonly proSize: MicroUsd;
  readonly objectives: ProObjectives;
  /** Scale of this phase's payouts; below 1 only in the pro challenge of a funded trader. */
  readonly payoutScale: Ratio;
  /** Null except while the standard account winds down. */
  readonly transition: Transition | null;
  /** Null until the pro account has started. */
  readonly statistics: ProStatistics | null;
  /** The last UTC day that was beyond a target; null when there is none. */
  readonly breachedDayMs: UnixMs | null;
  /** Withheld by weeks with such a day until a week without one. */
  readonly deferred: MicroUsd;
}

export interface Transition {
  /** The first Monday 00:00 UTC strictly after the offer. */
  readonly endsAtMs: UnixMs;
  /** The terms from then on. */
  readonly terms: ProTerms;
}

/** Counted from the start of the pro account. */
export interface ProStatistics {
  /** Null before the first trade. */
  readonly firstTradeAtMs: UnixMs | null;
  /** Full UTC days since the first trade. */
  readonly tradingDays: number;
  /** Best day and sum of days, with gains capped at `countedDayGain`. */
  readonly bestDay: Ratio;
  readonly sumOfDays: Ratio;
  /** Maximum fall of live equity below the end-of-day high-water mark, as a share of it. */
  readonly maxDrawdown: Ratio;
}
