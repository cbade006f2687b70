import type { MicroUsd, UnixMs } from "../units.ts";

/** How far the account's profit has been paid out. @rule D7.payouts */
export interface Earning {
  readonly sinceMs: UnixMs;
  /** Start of the cycle in progress: a Monday, except for the first. */
  readonly windowStartMs: UnixMs;
  /**
   * The highest profit at the close of a cycle: only profit above it earns again. Profit is realized
   * less fees, less open losses.
   */
  readonly mark: MicroUsd;
  /** The last fill since earning began; null before the first. */
  readonly lastFillAtMs: UnixMs | null;
}
