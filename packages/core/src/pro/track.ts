import type { ProObjectives, ProTerms } from "../rules/terms.ts";
import type { MicroUsd, Ratio, UnixMs } from "../units.ts";

/** Where an account that was offered a pro account stands on the way to it. @rule S2.1.1.phase */
export interface ProTrack {
  readonly proSize: MicroUsd;
  readonly objectives: ProObjectives;
  /** Of the payouts of this phase: below 1 only in the challenge of a funded trader. */
  readonly payoutScale: Ratio;
  /** While the standard account winds down; null from then on. */
  readonly transition: Transition | null;
  /** Null until the pro account has started. */
  readonly statistics: ProStatistics | null;
  /** The newest UTC day that was beyond a target; null: none has been. */
  readonly breachedDayMs: UnixMs | null;
  /** Withheld by weeks with such a day, until a clean one. */
  readonly deferred: MicroUsd;
}

export interface Transition {
  /** The first Monday 00:00 UTC strictly after the offer. */
  readonly endsAtMs: UnixMs;
  /** What binds the account from then on. */
  readonly terms: ProTerms;
}

/** Counted from the start of the pro account. */
export interface ProStatistics {
  /** Null while nothing was traded. */
  readonly firstTradeAtMs: UnixMs | null;
  /** Full UTC days since the first trade. */
  readonly tradingDays: number;
  /** Over those days, gains cut at `countedDayGain`: the best of them and their sum. */
  readonly bestDay: Ratio;
  readonly sumOfDays: Ratio;
  /** Greatest fall of live equity below the end-of-day high-water mark, as a share of that. */
  readonly maxDrawdown: Ratio;
}
