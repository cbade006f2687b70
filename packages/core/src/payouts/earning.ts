import type { MicroUsd, UnixMs } from "../units.ts";

/** What of an account's profit is paid out, and up to where it has been. @rule D7.payouts */
export interface Earning {
  readonly sinceMs: UnixMs;
  /** Start of the cycle in progress: a Monday, but for the first. */
  readonly windowStartMs: UnixMs;
  /**
   * The highest profit that a closed cycle was measured at: only what is beyond it earns again.
   * Profit is realized less fees, less open losses.
   */
  readonly mark: MicroUsd;
  /** The newest fill since earning began; null: none yet. */
  readonly lastFillAtMs: UnixMs | null;
}
