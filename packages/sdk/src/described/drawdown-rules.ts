// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";

/** A loss limit that binds the account. */
export interface LossLimitItem<Unsent extends Linked = never> {
  /**
   * `dailyLoss`: equity against the equity at 00:00 UTC. `static`: equity against the starting
   * balance. `eod_trailing`: end-of-day equity against the end-of-day high-water mark.
   */
  readonly rule: "dailyLoss" | "static" | "eod_trailing";
  /** `live`: at every price. `end_of_day`: once a day at 00:00 UTC. */
  readonly checked: "live" | "end_of_day";
  /** Percent of the anchor that is lost, at least 0. */
  readonly usedPct: number | Unsent;
  /** The limit: a loss above this percentage is a breach. */
  readonly limitPct: number | Unsent;
  /** The equity from which the loss is measured, USD. */
  readonly anchorEquity: number | Unsent;
  /** The equity that is compared with the anchor, USD. */
  readonly measuredEquity: number | Unsent;
  /** The loss that the limit allows: `limitPct` of the anchor, USD. */
  readonly allowed: number | Unsent;
  /** The lowest equity that is not a breach, USD. */
  readonly floor: number | Unsent;
  /** Equity now, USD. */
  readonly equityNow: number | Unsent;
  /**
   * Percent of the anchor that is lost now, at least 0: `anchorEquity` − `equityNow` over
   * `anchorEquity`.
   */
  readonly usedPctNow: number | Unsent;
  /**
   * The loss from now to the floor, USD: `equityNow` − `floor`. A gain increases it. It is negative
   * below the floor of an `end_of_day` limit.
   */
  readonly remainingNow: number | Unsent;
  /** The rest of the allowed loss, USD, at least 0. A gain does not increase it. */
  readonly remaining: number | Unsent;
  /** The next check; null when the limit is checked at every price, or the account has ended. */
  readonly nextCheckMs: number | null;
  /**
   * The price of the only open position at which equity is at the floor. Beyond it the limit is
   * breached: a LONG below it, at the bid, and a SHORT above it, at the ask; an `end_of_day` limit
   * only by the price at `nextCheckMs`. Later fees and carry are not included. Null without exactly
   * one position, or when no price breaches.
   */
  readonly breachPrice: number | null;
  /**
   * The move of all open positions at which equity is at the floor, in percent of each price: 4.97
   * is 4.97 %. Every LONG falls by it, at most to 0, and every SHORT rises by it; rates stay the
   * same, but a pair that converts at its own price moves with it. Beyond it the limit is breached.
   * Null for an `end_of_day` limit, without a position, and when no move breaches.
   */
  readonly breachMovePct: number | null;
}

/** The loss limits; null when there is no drawdown data. */
export interface DrawdownRules<Unsent extends Linked = never> {
  /** The set of limits that binds the account. */
  readonly criteria: "trailing" | "static" | "pro";
  /** Equity against the equity at the start of the UTC day. */
  readonly dailyLoss: {
    /** Percent of the day's start equity that is lost, at least 0. */
    readonly usedPct: number | Unsent;
    /** The limit: a loss above this percentage is a breach. */
    readonly limitPct: number | Unsent;
    /** Equity at 00:00 UTC, USD. */
    readonly dayStartEquity: number | Unsent;
    /** The rest of the allowed loss, USD, at least 0. A gain does not increase it. */
    readonly remaining: number | Unsent;
    /** The next check; null when the limit is checked at every price, or the account has ended. */
    readonly nextCheckMs: number | null;
    /**
     * The price of the only open position at which equity is at the floor. Beyond it the limit is
     * breached: a LONG below it, at the bid, and a SHORT above it, at the ask; an `end_of_day`
     * limit only by the price at `nextCheckMs`. Later fees and carry are not included. Null without
     * exactly one position, or when no price breaches.
     */
    readonly breachPrice: number | null;
  };
  /** The account's other limit. */
  readonly maxLoss: {
    /**
     * `static`: live equity against the starting balance. `eod_trailing`: end-of-day equity against
     * the end-of-day high-water mark, checked at 00:00 UTC.
     */
    readonly rule: "eod_trailing" | "static";
    /** Percent of the anchor that is lost, at least 0. */
    readonly usedPct: number | Unsent;
    /** The limit: a loss above this percentage is a breach. */
    readonly limitPct: number | Unsent;
    /** The equity from which the loss is measured, USD. */
    readonly anchorEquity: number | Unsent;
    /** The equity that is compared with the anchor, USD. */
    readonly measuredEquity: number | Unsent;
    /** The rest of the allowed loss, USD, at least 0. A gain does not increase it. */
    readonly remaining: number | Unsent;
    /** The next check; null when the limit is checked at every price, or the account has ended. */
    readonly nextCheckMs: number | null;
    /**
     * The price of the only open position at which equity is at the floor. Beyond it the limit is
     * breached: a LONG below it, at the bid, and a SHORT above it, at the ask; an `end_of_day`
     * limit only by the price at `nextCheckMs`. Later fees and carry are not included. Null without
     * exactly one position, or when no price breaches.
     */
    readonly breachPrice: number | null;
  };
  /** Balance, USD. */
  readonly currentBalance: number | Unsent;
  /**
   * Every limit that binds the account, in the order of precedence: one price that breaches several
   * is named after the first. `dailyLoss` and `maxLoss` are two of them.
   */
  readonly limits: readonly LossLimitItem<Unsent>[];
}

/** How the account ended; null while it has not. */
export interface Elimination {
  /** Reason code, or an operator's own text; null when none is recorded. */
  readonly reason: string | null;
  /** When the network ended the account; null when unknown. */
  readonly atMs: number | null;
  /** Drawdown at that moment as a percent; null when none is recorded. */
  readonly drawdownPct: number | null;
  /** True when the account ended because nothing was traded. */
  readonly forInactivity: boolean;
}
