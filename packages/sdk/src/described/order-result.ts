// Made from the schemas of the contract by `npm run docs`.

/** A stop, target or trailing stop; unused fields are null. */
export interface AttachedLegItem {
  /** The id to pass to LIMIT_CANCEL; null until the order has filled and attached the leg. */
  readonly orderUuid: string | null;
  /** Price of the stop. */
  readonly stopLoss: number | null;
  /** Price of the target. */
  readonly takeProfit: number | null;
  /** Size in the pair's lot unit. */
  readonly quantity: number | null;
  /** Size in USD. */
  readonly value: number | null;
  /** Size as a multiple of the balance. */
  readonly leverage: number | null;
  /** Share of the position before any of its legs filled, 0 < x ≤ 1. */
  readonly bracketPct: number | null;
  /** Trailing distance as a share of the price. */
  readonly trailingPercent: number | null;
  /** Trailing distance in price units. */
  readonly trailingValue: number | null;
}

/** The order after the request; null for LIMIT_CANCEL and FLAT_ALL. */
export interface OrderRecordItem {
  /** The id to pass to LIMIT_CANCEL. */
  readonly orderUuid: string;
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** For display, `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** Direction. */
  readonly orderType: "LONG" | "SHORT" | "FLAT";
  /** The kind of order. */
  readonly executionType: "MARKET" | "LIMIT" | "STOP_LIMIT" | "BRACKET";
  /** False while it is pending. */
  readonly filled: boolean;
  /** Filled size in the pair's lot unit; while pending, as sent or null. */
  readonly quantity: number | null;
  /** Filled size in USD; while pending, as sent or null. */
  readonly value: number | null;
  /** Filled size as a multiple of the balance; while pending, as sent or null. */
  readonly leverage: number | null;
  /** Fill price that all accounting uses, slippage included; null while pending. */
  readonly price: number | null;
  /** Slippage of the fill, as a share; null while pending. */
  readonly slippage: number | null;
  /** Fee of this fill, USD; null while pending. */
  readonly fee: number | null;
  /** PnL that this fill realized, before fees, USD; null while pending. */
  readonly realizedPnl: number | null;
  /** When the network accepted it; an edit does not change it. */
  readonly processedMs: number;
  /** Limit price; null when unused. */
  readonly limitPrice: number | null;
  /** Mid price that triggers a STOP_LIMIT; null when unused. */
  readonly stopPrice: number | null;
  /** Side of `stopPrice` that triggers it; null when unused. */
  readonly stopCondition: "GTE" | "LTE" | null;
  /** The nearest stop of its legs; null without one. */
  readonly stopLoss: number | null;
  /** The nearest target of its legs; null without one. */
  readonly takeProfit: number | null;
  /** Share of the position that a leg closes, 0 < x ≤ 1; null when unused. */
  readonly bracketPct: number | null;
  /** The cap that reduced the fill; null when no cap did. */
  readonly bindingCap: string | null;
  /** The part of the size that was not filled. */
  readonly shortfall: {
    /**
     * `cap`: a cap, named in `bindingCap`. `nothingLeft`: a reduce-only order or a leg was larger
     * than what was open. `neverFlips`: any other opposite order was larger than the position.
     * `roundedToGrid`: the pair's grid.
     */
    readonly code: "cap" | "nothingLeft" | "neverFlips" | "roundedToGrid";
    /** In the pair's lot unit. */
    readonly quantity: number;
  } | null;
  /** The part of the fill that exceeds the size. */
  readonly excess: {
    /**
     * `roundedToGrid`: the pair's grid. `leastPosition`: the rest was below the minimum position
     * and was closed too.
     */
    readonly code: "roundedToGrid" | "leastPosition";
    /** In the pair's lot unit. */
    readonly quantity: number;
  } | null;
  /** True if it can only reduce a position; always true for a leg. */
  readonly reduceOnly: boolean;
  /** Its legs, in the request's order; null without legs. */
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
  readonly reason:
    | "marketClosed"
    | "staleQuote"
    | "noConversionRate"
    | "unknownPair"
    | "notReported";
}

/** The outcome of the request. */
export interface OrderResult {
  /**
   * True: the request was carried out. False: FLAT_ALL closed some positions, and some stay open.
   */
  readonly success: boolean;
  /** The outcome in one word. */
  readonly status: "filled" | "resting" | "edited" | "cancelled" | "flattened" | "partial";
  /**
   * The order's id; for BRACKET that of its first leg. For LIMIT_CANCEL and FLAT_ALL the ids that
   * were cancelled or closed, comma-separated.
   */
  readonly order_uuid: string;
  /** A text for people. */
  readonly message: string;
  /** The positions that stay open; empty on success. */
  readonly error_message: string;
  /** Seconds between the order's arrival at the network and the network's answer, such as 0.004. */
  readonly processing_time: number;
  /** The network's record as raw JSON text; prefer `order`. */
  readonly order_json: string;
  /** The order after the request; null for LIMIT_CANCEL and FLAT_ALL. */
  readonly order: OrderRecordItem | null;
  /** Positions that FLAT_ALL closed; null for every other order. */
  readonly closed: readonly ClosedPair[] | null;
  /** Positions that FLAT_ALL could not close; null for every other order. */
  readonly stayed: readonly StayedPair[] | null;
  /**
   * How the account ended in the order's own moment: `eliminated`, or `passed` when its step ended
   * and everything was closed; else null.
   */
  readonly ended: "eliminated" | "passed" | null;
  /**
   * Ids of LIMIT_CANCEL or FLAT_ALL that were not open and were ignored; null for every other
   * order.
   */
  readonly notFound: readonly string[] | null;
}

/** The armed dead man's switch. */
export interface ArmedSwitch {
  /** The deadline: it fires at this time unless it is armed again or ended. */
  readonly atMs: number;
  /** Seconds from its arming to the deadline, such as 60. */
  readonly seconds: number;
  /** `cancel`: cancels all orders and legs. `flatten`: also closes all positions. */
  readonly action: "cancel" | "flatten";
}

/** The dead man's switch after the request. */
export interface SwitchResult {
  /** The armed dead man's switch. */
  readonly cancelAllAfter: ArmedSwitch | null;
  /**
   * Seconds between the request's arrival at the network and the network's answer, such as 0.004.
   */
  readonly processing_time: number;
}
