// Made from the schemas of the contract by `npm run docs`.

/** A stop, target or trailing stop; unused fields are null. */
export interface AttachedLegItem {
  /** The id to pass to LIMIT_CANCEL; null until the order has filled and attached the leg. */
  readonly orderUuid: string | null;
  /** Price. */
  readonly stopLoss: number | null;
  /** Price. */
  readonly takeProfit: number | null;
  /** Size in the pair's lot unit. */
  readonly quantity: number | null;
  /** Size in USD. */
  readonly value: number | null;
  /** Size as a multiple of the balance. */
  readonly leverage: number | null;
  /** Share of the position as if no sister leg had filled, 0 < x ≤ 1. */
  readonly bracketPct: number | null;
  /** Trailing distance as a share of the price. */
  readonly trailingPercent: number | null;
  /** Trailing distance in price units. */
  readonly trailingValue: number | null;
}

/** What the order has become; null for LIMIT_CANCEL and FLAT_ALL. */
export interface OrderRecordItem {
  /** The id to pass to LIMIT_CANCEL. */
  readonly orderUuid: string;
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** For display, `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** Direction. */
  readonly orderType: "LONG" | "SHORT" | "FLAT";
  /** What kind of order it is. */
  readonly executionType: "MARKET" | "LIMIT" | "STOP_LIMIT" | "BRACKET";
  /** False while it rests. */
  readonly filled: boolean;
  /** Filled size in the pair's lot unit; resting: as sent or null. */
  readonly quantity: number | null;
  /** Filled size in USD; resting: as sent or null. */
  readonly value: number | null;
  /** Filled size as a multiple of the balance; resting: as sent or null. */
  readonly leverage: number | null;
  /** Fill price that all accounting uses, slippage included; resting: null. */
  readonly price: number | null;
  /** What the slippage model added, as a share; resting: null. */
  readonly slippage: number | null;
  /** Of this fill, USD; resting: null. */
  readonly fee: number | null;
  /** Of what this fill closed, before fees, USD; resting: null. */
  readonly realizedPnl: number | null;
  /** When the network accepted it. */
  readonly processedMs: number;
  /** Null when unused. */
  readonly limitPrice: number | null;
  /** Null when unused. */
  readonly stopPrice: number | null;
  /** Null when unused. */
  readonly stopCondition: "GTE" | "LTE" | null;
  /** Null when unused. */
  readonly stopLoss: number | null;
  /** Null when unused. */
  readonly takeProfit: number | null;
  /** Null when unused. */
  readonly bracketPct: number | null;
  /** The cap that made the fill smaller; null when none did. */
  readonly bindingCap: string | null;
  /** True: it can only reduce a position; always so of a leg. */
  readonly reduceOnly: boolean;
  /** In the request's order; null without legs. */
  readonly bracketOrders: readonly AttachedLegItem[] | null;
}

/** A position that was closed. */
export interface ClosedPair {
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
}

/** A position that stays open. */
export interface StayedPair {
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** Why it could not be closed now. */
  readonly reason: "marketClosed" | "staleQuote" | "noConversionRate" | "unknownPair";
}

/** What became of the request. */
export interface OrderResult {
  /**
   * True: the request was carried out. False: FLAT_ALL closed some positions, and some stay open.
   */
  readonly success: boolean;
  /** What became of it, in one word. */
  readonly status: "filled" | "resting" | "edited" | "cancelled" | "flattened" | "partial";
  /**
   * The order's id; for BRACKET that of its first leg. For LIMIT_CANCEL and FLAT_ALL the ids that
   * were cancelled or closed, comma-separated.
   */
  readonly order_uuid: string;
  /** For people. */
  readonly message: string;
  /** Names what stays open; empty on success. */
  readonly error_message: string;
  /** Seconds between the order's arrival at the network and the network's answer, such as 0.004. */
  readonly processing_time: number;
  /** The network's record as raw JSON text; prefer `order`. */
  readonly order_json: string;
  /** What the order has become; null for LIMIT_CANCEL and FLAT_ALL. */
  readonly order: OrderRecordItem | null;
  /** What FLAT_ALL closed; null for every other order. */
  readonly closed: readonly ClosedPair[] | null;
  /** What FLAT_ALL could not close; null for every other order. */
  readonly stayed: readonly StayedPair[] | null;
  /** Ids of LIMIT_CANCEL or FLAT_ALL that were passed over; null for every other order. */
  readonly notFound: readonly string[] | null;
}
