// Made from the schemas of the contract by `npm run docs`.

/** A pair that can be traded, with what binds its orders. */
export interface InstrumentItem {
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** For display, `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** What kind of market it is. */
  readonly assetClass: "crypto" | "forex" | "indices" | "equities" | "commodities";
  /** What one lot is counted in, `BTC`. */
  readonly base: string;
  /** What the price is counted in, `USD`. */
  readonly quoteCurrency: string;
  /** Base units of one lot: `quantity` 1 is one lot. */
  readonly lotSize: number;
  /** The same in words, `1 BTC` or `100,000 EUR`. */
  readonly lotUnit: string;
  /**
   * Quantities are whole multiples of this many lots. A size in between is rounded to nearest, half
   * a step up; after a cap it goes down to the last step within.
   */
  readonly gridStep: number;
  /** The finer step of accounts at or below 10,000 USD; null: the same step. */
  readonly gridStepSmallAccount: number | null;
  /** Least step of the price for display; any price may be sent. */
  readonly tick: number;
  /** Least size in lots that this account can place, on its own grid; null: bounded in USD. */
  readonly leastQuantity: number | null;
  /** Least value of a position in USD at the price of the fill; null: bounded in lots. */
  readonly leastValue: number | null;
  /** Most value of this pair as a multiple of the balance, for this account. */
  readonly leverageCap: number;
  /** Of the value of each fill, percent. */
  readonly feePercent: number;
  /** Cost of holding over a charge, percent a day or a year as `carryBasis` says. */
  readonly carryPercent: number;
  /** What `carryPercent` counts by. */
  readonly carryBasis: "none" | "daily" | "yearly";
  /** Which opening hours it has, such as `crypto` or `forex`. */
  readonly session: string;
  /** Whether its market is open now. */
  readonly isOpen: boolean;
  /** When that changes next; null: never. */
  readonly changesAtMs: number | null;
  /** False where new orders are refused whatever the hour. */
  readonly isTradable: boolean;
  /** A quote older than this many milliseconds fills nothing. */
  readonly staleAfterMs: number;
}

/** The newest quote of a pair; pairs without any are not listed. */
export interface QuoteItem {
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** What a sale fills at, before slippage. */
  readonly bid: number;
  /** What a purchase fills at, before slippage. */
  readonly ask: number;
  /** When it was made. */
  readonly atMs: number;
  /** True when it is too old to fill anything. */
  readonly isStale: boolean;
}
