import type { ZoneName } from "../time/zone.ts";

/**
 * A stretch of the week, in local time, in which a market is open. Day 0 is Sunday; minutes count from local midnight.
 */
export interface OpenStretch {
  readonly fromDay: number;
  readonly fromMinute: number;
  readonly toDay: number;
  /** The minute at which the stretch ends, exclusive; may be 1440. */
  readonly toMinute: number;
  /** The first local date of these hours, in whole days since 1970-01-01; absent when they have no first date. */
  readonly firstDayNumber?: number;
  /** The last local date of these hours; absent when they have no last date. */
  readonly lastDayNumber?: number;
}

/** The hours in which a market trades. Dates are local, `YYYY-MM-DD`. */
export interface Session {
  readonly id: string;
  readonly zone: ZoneName;
  readonly weekly: readonly OpenStretch[];
  /** The local dates on which the market is closed for the whole day. */
  readonly holidays: ReadonlySet<string>;
  /** Local dates on which the market closes early, each with the minute from local midnight at which it closes. */
  readonly earlyCloses: ReadonlyMap<string, number>;
  /** The last date with known holidays; absent when the market has none. */
  readonly knownUntil?: string;
}
