// Made from the schemas of the contract by `npm run docs`.

/** The two loss limits; null when there is no drawdown data. */
export interface DrawdownRules {
  /** Which set of limits binds the account. */
  readonly criteria: "trailing" | "static" | "pro";
  /** Equity against the equity at the start of the UTC day. */
  readonly dailyLoss: {
    /** Percent of the day's start equity that is lost, at least 0. */
    readonly usedPct: number;
    /** Percent that must not be passed. */
    readonly limitPct: number;
    /** Equity at 00:00 UTC, USD. */
    readonly dayStartEquity: number;
    /** What is left of the allowed loss, USD, at least 0; gains do not add to it. */
    readonly remaining: number;
    /** When the limit is next checked; null: at every price, or never once the account ended. */
    readonly nextCheckMs: number | null;
    /**
     * Price of the one open position at which the limit is met; beyond it (LONG below, at the bid;
     * SHORT above, at the ask) it is passed, with `eod_trailing` if the price stands there at
     * `nextCheckMs`. Fees and carry to come are not counted. Null with none or several positions,
     * or where no price leads there.
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
    readonly usedPct: number;
    /** Percent that must not be passed. */
    readonly limitPct: number;
    /** What the limit is measured against, USD. */
    readonly anchorEquity: number;
    /** The equity compared with it, USD. */
    readonly measuredEquity: number;
    /** What is left of the allowed loss, USD, at least 0; gains do not add to it. */
    readonly remaining: number;
    /** When the limit is next checked; null: at every price, or never once the account ended. */
    readonly nextCheckMs: number | null;
    /**
     * Price of the one open position at which the limit is met; beyond it (LONG below, at the bid;
     * SHORT above, at the ask) it is passed, with `eod_trailing` if the price stands there at
     * `nextCheckMs`. Fees and carry to come are not counted. Null with none or several positions,
     * or where no price leads there.
     */
    readonly breachPrice: number | null;
  };
  /** Balance, USD. */
  readonly currentBalance: number;
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
