// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";

/** A loss limit that applies to the account. */
export interface LossLimitItem<Unsent extends Linked = never> {
  /**
   * `dailyLoss`: live equity against the equity at the start of the day. `static`: live equity
   * against the starting balance. `eod_trailing`: equity at 00:00 UTC against the highest equity at
   * any 00:00 UTC of the phase.
   */
  readonly rule: "dailyLoss" | "static" | "eod_trailing";
  /** `live`: at every price. `end_of_day`: once a day, with the equity at 00:00 UTC. */
  readonly checked: "live" | "end_of_day";
  /** Share of the anchor that is lost at `measuredEquity`, in percent, at least 0. */
  readonly usedPct: number | Unsent;
  /** The limit in percent of the anchor. A greater loss is a breach; exactly this loss is not. */
  readonly limitPct: number | Unsent;
  /** The anchor: the equity from which the loss is measured, USD. */
  readonly anchorEquity: number | Unsent;
  /**
   * The equity that is compared with the anchor, USD: live equity, or for `end_of_day` the equity
   * of the last check.
   */
  readonly measuredEquity: number | Unsent;
  /** The loss that the limit allows, USD: `limitPct` of the anchor. */
  readonly allowed: number | Unsent;
  /** The floor: the lowest equity that is not a breach, USD. */
  readonly floor: number | Unsent;
  /** Live equity of the account, USD. */
  readonly equityNow: number | Unsent;
  /**
   * Share of the anchor that is lost at live equity, in percent, at least 0: (`anchorEquity` −
   * `equityNow`) ÷ `anchorEquity`.
   */
  readonly usedPctNow: number | Unsent;
  /**
   * Live equity above the floor, USD: `equityNow` − `floor`. Profit raises it. It is negative when
   * equity is below the floor of an `end_of_day` limit.
   */
  readonly remainingNow: number | Unsent;
  /**
   * The part of the allowed loss that is not used up at `measuredEquity`, USD, from 0 to the whole
   * allowed loss. Equity above the anchor does not raise it further.
   */
  readonly remaining: number | Unsent;
  /**
   * When the limit is checked next; null for a limit that is checked at every price, and when the
   * account is not active.
   */
  readonly nextCheckMs: number | null;
  /**
   * The mark price of the only open position at which equity equals the floor. A LONG breaches the
   * limit at a bid below it, a SHORT at an ask above it. An `end_of_day` limit is breached only by
   * the price at `nextCheckMs`. Future fees and holding costs are not included. Null without
   * exactly one open position, and when no price breaches the limit.
   */
  readonly breachPrice: number | null;
  /**
   * The adverse move of all open positions at which equity equals the floor, in percent of each
   * price: 4.97 is 4.97 %. Every LONG falls by it, at most to 0, and every SHORT rises by it.
   * Conversion rates stay unchanged, except that a pair that converts at its own price moves with
   * it. A larger move breaches the limit. Null for an `end_of_day` limit, without an open position,
   * and when no move breaches the limit.
   */
  readonly breachMovePct: number | null;
}

/** The loss limits of the account; null when there is no drawdown data. */
export interface DrawdownRules<Unsent extends Linked = never> {
  /** The set of loss limits that applies to the account. */
  readonly criteria: "trailing" | "static" | "pro";
  /** The daily loss limit: live equity against the equity at the start of the day. */
  readonly dailyLoss: {
    /** Share of `dayStartEquity` that is lost now, in percent, at least 0. */
    readonly usedPct: number | Unsent;
    /**
     * The limit in percent of `dayStartEquity`. A greater loss is a breach; exactly this loss is
     * not.
     */
    readonly limitPct: number | Unsent;
    /**
     * Equity at 00:00 UTC, USD. On the first day, and on a day on which the account restarts at a
     * size, it is that size.
     */
    readonly dayStartEquity: number | Unsent;
    /**
     * The part of the allowed loss that is not used up at `measuredEquity`, USD, from 0 to the
     * whole allowed loss. Equity above the anchor does not raise it further.
     */
    readonly remaining: number | Unsent;
    /**
     * When the limit is checked next; null for a limit that is checked at every price, and when the
     * account is not active.
     */
    readonly nextCheckMs: number | null;
    /**
     * The mark price of the only open position at which equity equals the floor. A LONG breaches
     * the limit at a bid below it, a SHORT at an ask above it. An `end_of_day` limit is breached
     * only by the price at `nextCheckMs`. Future fees and holding costs are not included. Null
     * without exactly one open position, and when no price breaches the limit.
     */
    readonly breachPrice: number | null;
  };
  /** The maximum loss limit of the account. */
  readonly maxLoss: {
    /**
     * `static`: live equity against the starting balance, checked at every price. `eod_trailing`:
     * equity at 00:00 UTC against the highest equity at any 00:00 UTC of the phase, checked at
     * 00:00 UTC.
     */
    readonly rule: "eod_trailing" | "static";
    /** Share of the anchor that is lost at `measuredEquity`, in percent, at least 0. */
    readonly usedPct: number | Unsent;
    /** The limit in percent of the anchor. A greater loss is a breach; exactly this loss is not. */
    readonly limitPct: number | Unsent;
    /** The anchor: the equity from which the loss is measured, USD. */
    readonly anchorEquity: number | Unsent;
    /**
     * The equity that is compared with the anchor, USD: live equity for `static`, the equity of the
     * last 00:00 UTC for `eod_trailing`.
     */
    readonly measuredEquity: number | Unsent;
    /**
     * The part of the allowed loss that is not used up at `measuredEquity`, USD, from 0 to the
     * whole allowed loss. Equity above the anchor does not raise it further.
     */
    readonly remaining: number | Unsent;
    /**
     * When the limit is checked next; null for a limit that is checked at every price, and when the
     * account is not active.
     */
    readonly nextCheckMs: number | null;
    /**
     * The mark price of the only open position at which equity equals the floor. A LONG breaches
     * the limit at a bid below it, a SHORT at an ask above it. An `end_of_day` limit is breached
     * only by the price at `nextCheckMs`. Future fees and holding costs are not included. Null
     * without exactly one open position, and when no price breaches the limit.
     */
    readonly breachPrice: number | null;
  };
  /** Balance of the account, USD. */
  readonly currentBalance: number | Unsent;
  /**
   * Every loss limit that applies to the account, in order of precedence: when one price breaches
   * several, the first one is named. `dailyLoss` and `maxLoss` are two of them.
   */
  readonly limits: readonly LossLimitItem<Unsent>[];
}

/** How the account was eliminated; null for an account that was not eliminated. */
export interface Elimination {
  /** A reason code, or the operator's own text; null when no reason is recorded. */
  readonly reason: string | null;
  /** When the network eliminated the account; null when unknown. */
  readonly atMs: number | null;
  /**
   * Share of the breached limit's anchor that was lost at the elimination, in percent; null when
   * none is recorded.
   */
  readonly drawdownPct: number | null;
  /** True when the account was eliminated because it did not trade for too long. */
  readonly forInactivity: boolean;
}
