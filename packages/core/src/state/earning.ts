import type { MicroUsd, UnixMs } from "../units.ts";

/** How far the profit of an account that earns has been paid out. @rule D7.payouts */
export interface Earning {
  readonly sinceMs: UnixMs;
  /** Start of the cycle in progress: a Monday, except for the first cycle. */
  readonly windowStartMs: UnixMs;
  /**
   * The highest profit at the close of a cycle or at the promotion to pro funded, at least 0. Only profit above it
   * earns again. Profit is the lower of balance and equity, minus the size.
   */
  readonly mark: MicroUsd;
  /** The time of the last fill since earning began; null before the first. */
  readonly lastFillAtMs: UnixMs | null;
}
