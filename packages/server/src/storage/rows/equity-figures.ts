import type { MicroUsd, UnixMs } from "@propgate/core";

/** What an account was worth at one moment, and the equity at which each limit was met. */
export interface EquityFigures {
  readonly atMs: UnixMs;
  readonly equity: MicroUsd;
  readonly balance: MicroUsd;
  /** Null: no limit binds the account. */
  readonly dailyFloor: MicroUsd | null;
  readonly maxFloor: MicroUsd | null;
}
