// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";

/**
 * A pair that can be traded, its market hours, its costs and the limits of its orders for this
 * account.
 */
export interface InstrumentItem<Unsent extends Linked = never> {
  /** Pair identifier, such as `BTCUSD`. */
  readonly tradePair: string;
  /** Pair for display, such as `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** Alternative names that requests may use for the pair. */
  readonly aliases: readonly string[];
  /** The asset class of the pair. */
  readonly assetClass: "crypto" | "forex" | "indices" | "equities" | "commodities";
  /** The unit in which lots are counted, such as `BTC`. */
  readonly base: string;
  /** The currency of the price, such as `USD`. */
  readonly quoteCurrency: string;
  /**
   * True when one unit of the quote currency counts as exactly 1 USD: always for `USD`, and for
   * `USDC` if so configured.
   */
  readonly quoteIsUsd: boolean;
  /** Size of one lot in base units: an order with `quantity` 1 is one lot. */
  readonly lotSize: number | Unsent;
  /** One lot in words, such as `1 BTC` or `100,000 EUR`. */
  readonly lotUnit: string | Unsent;
  /**
   * Quantity step, in lots. A size between two steps is rounded to the nearest one, half a step up.
   * A size that a leverage cap limits is rounded down.
   */
  readonly gridStep: number | Unsent;
  /**
   * Finer quantity step of accounts with a size of at most 10,000 USD, in lots; null if they have
   * the general step.
   */
  readonly gridStepSmallAccount: number | null;
  /** Tick size: the smallest step of the pair's quotes, in price units. */
  readonly tick: number | Unsent;
  /**
   * Step of the prices and trailing distances that orders may have, in price units; others are
   * rejected. Null if every price is accepted.
   */
  readonly priceStep: number | null;
  /**
   * Minimum position size of this account in lots, a whole number of its quantity steps; null if
   * the minimum is in USD.
   */
  readonly leastQuantity: number | null;
  /** Minimum position value in USD at the fill price; null if the minimum is in lots. */
  readonly leastValue: number | null;
  /** Maximum position value in this pair for this account, as a multiple of the balance. */
  readonly leverageCap: number | Unsent;
  /** Trading fee in percent of the value of each fill. */
  readonly feePercent: number | Unsent;
  /**
   * Holding cost of a position in percent of its value, for the period in `carryBasis`; 0 if
   * `carryBasis` is `none`.
   */
  readonly carryPercent: number | Unsent;
  /** The period of `carryPercent`: a day, a year, or `none` without this cost. */
  readonly carryBasis: "none" | "daily" | "yearly" | Unsent;
  /** Borrow fee of a SHORT in percent of its value per year, charged on weekdays; 0 without one. */
  readonly borrowPercent: number | Unsent;
  /**
   * Hourly funding, which replaces the holding cost of `carryPercent`; null for pairs without
   * funding.
   */
  readonly funding: {
    /**
     * Funding rate in percent of the position value for one hour: the fixed rate, or else that of
     * the newest known hour. Above 0 a LONG pays and a SHORT receives. Null if no rate is known.
     */
    readonly percent: number | null;
    /**
     * The start of the hour of `percent`, Unix milliseconds; null if the rate is fixed or unknown.
     */
    readonly hourMs: number | null;
    /** True if every hour has one fixed rate. */
    readonly isFixed: boolean;
    /** True if a position can pay funding but never receives it. */
    readonly isCostOnly: boolean;
  } | null;
  /** Id of the trading session, such as `crypto` or `forex`. */
  readonly session: string | Unsent;
  /** True while the pair's market is open. */
  readonly isOpen: boolean | Unsent;
  /** When the market next closes, or opens if it is closed; null if no change is known. */
  readonly changesAtMs: number | null;
  /** False if the account's orders that open or add are rejected, even while the market is open. */
  readonly isTradable: boolean;
  /** Age in milliseconds up to which a quote can fill an order. */
  readonly staleAfterMs: number | Unsent;
}

/** The newest quote of a pair. */
export interface QuoteItem {
  /** Pair identifier, such as `BTCUSD`. */
  readonly tradePair: string;
  /** Bid price. A sale fills at it, minus slippage. */
  readonly bid: number;
  /** Ask price. A purchase fills at it, plus slippage. */
  readonly ask: number;
  /** Time of the quote, Unix milliseconds. */
  readonly atMs: number;
  /**
   * True when the quote cannot fill an order: it is too old, the pair is halted, or the quote is
   * from before a corporate action.
   */
  readonly isStale: boolean;
}

/** Mid prices of the interval. The mid of each quote is halfway between its bid and ask. */
export interface CandlePrices {
  /** The first price of the interval. */
  readonly open: number;
  /** The highest price of the interval. */
  readonly high: number;
  /** The lowest price of the interval. */
  readonly low: number;
  /** The last price of the interval. */
  readonly close: number;
}

/**
 * The prices of one interval, including its start and excluding its end. An interval without quotes
 * has no candle.
 */
export interface CandleItem {
  /** Start of the interval, on a whole minute, hour or day of UTC. */
  readonly startMs: number;
  /** Bid prices of the interval. A sale fills at the bid, minus slippage. */
  readonly bid: CandlePrices;
  /** Ask prices of the interval. A purchase fills at the ask, plus slippage. */
  readonly ask: CandlePrices;
  /** Mid prices of the interval. The mid of each quote is halfway between its bid and ask. */
  readonly mid: CandlePrices;
  /** Number of quotes in the interval, at least 1. */
  readonly quoteCount: number;
  /** False for the interval in progress, whose candle can still change. */
  readonly isComplete: boolean;
}

/** The service's clock. */
export interface ServiceTime {
  /** The service's current time. */
  readonly serverTimeMs: number;
  /**
   * Maximum difference between a signed timestamp and `serverTimeMs`, in either direction, in
   * milliseconds.
   */
  readonly skewAllowedMs: number;
}
