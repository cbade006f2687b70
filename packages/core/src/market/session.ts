import type { ZoneName } from "../time/zone.ts";

/** A stretch of the week in local time. Day 0 is Sunday; minutes count from local midnight. */
export interface OpenStretch {
  readonly fromDay: number;
  readonly fromMinute: number;
  readonly toDay: number;
  /** Exclusive; may be 1440. */
  readonly toMinute: number;
  /** First local date of these hours, in whole days since 1970-01-01; absent: no lower bound. */
  readonly firstDayNumber?: number;
  /** Last local date of these hours; absent: no upper bound. */
  readonly lastDayNumber?: number;
}

/** When a market trades. Dates are local, `YYYY-MM-DD`. */
export interface Session {
  readonly id: string;
  readonly zone: ZoneName;
  readonly weekly: readonly OpenStretch[];
  /** Closed for the whole local date. */
  readonly holidays: ReadonlySet<string>;
  /** Local date to the minute from midnight at which it closes for the rest of that date. */
  readonly earlyCloses: ReadonlyMap<string, number>;
  /** Last date with known holidays; absent when the market has none. */
  readonly knownUntil?: string;
}
