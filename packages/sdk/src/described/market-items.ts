// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";

/** A pair that can be traded, and the limits of its orders. */
export interface InstrumentItem<Unsent extends Linked = never> {
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** For display, `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** Other names that requests may use for the pair. */
  readonly aliases: readonly string[];
  /** The kind of market. */
  readonly assetClass: "crypto" | "forex" | "indices" | "equities" | "commodities";
  /** Base unit of a lot, `BTC`. */
  readonly base: string;
  /** Currency of the price, `USD`. */
  readonly quoteCurrency: string;
  /**
   * True when one unit of the quote currency counts as 1 USD: `USD` itself, and `USDC` in some
   * catalogues.
   */
  readonly quoteIsUsd: boolean;
  /** Base units of one lot: `quantity` 1 is one lot. */
  readonly lotSize: number | Unsent;
  /** The same in words, `1 BTC` or `100,000 EUR`. */
  readonly lotUnit: string | Unsent;
  /**
   * Step of quantities, in lots. A size between two steps is rounded to the nearest one, half a
   * step up; a capped size is rounded down.
   */
  readonly gridStep: number | Unsent;
  /** The finer step of accounts at or below 10,000 USD; null if the step is the same. */
  readonly gridStepSmallAccount: number | null;
  /** Smallest step of the price. */
  readonly tick: number | Unsent;
  /**
   * Step of the prices and trailing distances of orders; another price is rejected. Null if any
   * price is accepted.
   */
  readonly priceStep: number | null;
  /**
   * Minimum size of this account's orders in lots, on its own grid; null if the minimum is in USD.
   */
  readonly leastQuantity: number | null;
  /** Minimum value of a position in USD at the fill price; null if the minimum is in lots. */
  readonly leastValue: number | null;
  /** Maximum value of this pair as a multiple of the balance, for this account. */
  readonly leverageCap: number | Unsent;
  /** Fee in percent of the value of each fill. */
  readonly feePercent: number | Unsent;
  /** Cost of holding a position in percent per day or year, as `carryBasis` says. */
  readonly carryPercent: number | Unsent;
  /** Period of `carryPercent`. */
  readonly carryBasis: "none" | "daily" | "yearly" | Unsent;
  /** Cost of holding a SHORT in percent per year, charged on weekdays; 0 if none. */
  readonly borrowPercent: number | Unsent;
  /** Hourly funding in place of carry; null for pairs without it. */
  readonly funding: {
    /**
     * Percent of the value held, of the newest known hour: above 0 a LONG pays and a SHORT
     * receives. Null if no hour is known.
     */
    readonly percent: number | null;
    /** The hour of `percent`; null if the rate is fixed or unknown. */
    readonly hourMs: number | null;
    /** True if every hour has the same rate. */
    readonly isFixed: boolean;
    /** True if a position pays funding but never receives it. */
    readonly isCostOnly: boolean;
  } | null;
  /** Trading session, such as `crypto` or `forex`. */
  readonly session: string | Unsent;
  /** Whether its market is open now. */
  readonly isOpen: boolean | Unsent;
  /** When the market next opens or closes; null if never. */
  readonly changesAtMs: number | null;
  /** False if new orders are rejected even while the market is open. */
  readonly isTradable: boolean;
  /** Maximum age in milliseconds of a quote that can fill an order. */
  readonly staleAfterMs: number | Unsent;
}

/** The newest quote of a pair; pairs without a quote are not listed. */
export interface QuoteItem {
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** Price of a sale, before slippage. */
  readonly bid: number;
  /** Price of a purchase, before slippage. */
  readonly ask: number;
  /** Time of the quote. */
  readonly atMs: number;
  /** True when the quote is too old to fill an order. */
  readonly isStale: boolean;
}

/** The prices halfway between bid and ask, for each quote. */
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
 * The prices of one interval, from its start up to but not including its end. An interval without
 * quotes has no candle.
 */
export interface CandleItem {
  /** Start of the interval: whole minutes, hours or days of UTC. */
  readonly startMs: number;
  /** The prices of sales, before slippage. */
  readonly bid: CandlePrices;
  /** The prices of purchases, before slippage. */
  readonly ask: CandlePrices;
  /** The prices halfway between bid and ask, for each quote. */
  readonly mid: CandlePrices;
  /** Quotes in the interval, at least 1. */
  readonly quoteCount: number;
  /** False for the running interval, whose candle still changes. */
  readonly isComplete: boolean;
}

/** The service's clock. */
export interface ServiceTime {
  /** The service's present time. */
  readonly serverTimeMs: number;
  /** Maximum distance of a signed timestamp, in either direction. */
  readonly skewAllowedMs: number;
}
