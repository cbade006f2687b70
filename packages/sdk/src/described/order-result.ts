// Made from the schemas of the contract by `npm run docs`.

/** A stop loss, take profit or trailing stop; unused fields are null. */
export interface AttachedLegItem {
  /** The id to pass to LIMIT_CANCEL; null before the order has filled and its legs are attached. */
  readonly orderUuid: string | null;
  /** Stop-loss price; null without one. */
  readonly stopLoss: number | null;
  /** Take-profit price; null without one. */
  readonly takeProfit: number | null;
  /** Size in the pair's lot unit; null when unused. */
  readonly quantity: number | null;
  /** Size in USD; null when unused. */
  readonly value: number | null;
  /** Size as a multiple of the balance; null when unused. */
  readonly leverage: number | null;
  /**
   * Size as a share of the position before any of its legs filled, above 0 and at most 1; null when
   * unused.
   */
  readonly bracketPct: number | null;
  /** Trailing distance as a share of the price, so 0.02 is 2 %; null when unused. */
  readonly trailingPercent: number | null;
  /** Trailing distance in price units; null when unused. */
  readonly trailingValue: number | null;
}

/** The order after the request; null for LIMIT_CANCEL and FLAT_ALL. */
export interface OrderRecordItem {
  /** The id to pass to LIMIT_CANCEL. */
  readonly orderUuid: string;
  /** Pair identifier, such as `BTCUSD`. */
  readonly tradePair: string;
  /** Pair for display, such as `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** Direction. */
  readonly orderType: "LONG" | "SHORT" | "FLAT";
  /** The kind of order. */
  readonly executionType: "MARKET" | "LIMIT" | "STOP_LIMIT" | "BRACKET";
  /** True when the order has filled; false while it is pending. */
  readonly filled: boolean;
  /**
   * Filled size in the pair's lot unit. While pending: the size as sent, or null when it was sent
   * in another unit.
   */
  readonly quantity: number | null;
  /**
   * Filled size in USD. While pending: the size as sent, or null when it was sent in another unit.
   */
  readonly value: number | null;
  /**
   * Filled size as a multiple of the balance. While pending: the size as sent, or null when it was
   * sent in another unit.
   */
  readonly leverage: number | null;
  /** Fill price, slippage included, from which all figures are computed; null while pending. */
  readonly price: number | null;
  /** Slippage of the fill as a share of the quoted price; null while pending. */
  readonly slippage: number | null;
  /** Fee of the fill, USD; null while pending. */
  readonly fee: number | null;
  /** PnL that the fill realized, before fees, USD; null while pending. */
  readonly realizedPnl: number | null;
  /** When the network accepted the order; an edit does not change it. */
  readonly processedMs: number;
  /** Limit price; null when unused. */
  readonly limitPrice: number | null;
  /** Mid price at which a STOP_LIMIT becomes a limit order; null when unused. */
  readonly stopPrice: number | null;
  /** Side of `stopPrice` on which the mid price triggers the order; null when unused. */
  readonly stopCondition: "GTE" | "LTE" | null;
  /** Stop-loss price; of several legs the nearest one; null without one. */
  readonly stopLoss: number | null;
  /** Take-profit price; of several legs the nearest one; null without one. */
  readonly takeProfit: number | null;
  /** Share of the position that a leg closes, above 0 and at most 1; null when unused. */
  readonly bracketPct: number | null;
  /** The leverage cap that reduced the fill, such as `per pair cap 1.5x`; null when no cap did. */
  readonly bindingCap: string | null;
  /** The part of the requested size that was not filled; null when the size was filled in full. */
  readonly shortfall: {
    /**
     * `cap`: a leverage cap, named in `bindingCap`. `nothingLeft`: a reduce-only order or a leg was
     * larger than the open position. `neverFlips`: another opposite order was larger than the
     * position, and never opens the other direction. `roundedToGrid`: rounded to the pair's
     * quantity step.
     */
    readonly code: "cap" | "nothingLeft" | "neverFlips" | "roundedToGrid";
    /** Missing quantity in the pair's lot unit, above 0. */
    readonly quantity: number;
  } | null;
  /**
   * The part of the fill that exceeds the requested size; null when the fill does not exceed it.
   */
  readonly excess: {
    /**
     * `roundedToGrid`: rounded to the pair's quantity step. `leastPosition`: the rest of the
     * position was below the minimum position size and was closed too.
     */
    readonly code: "roundedToGrid" | "leastPosition";
    /** Additional quantity in the pair's lot unit, above 0. */
    readonly quantity: number;
  } | null;
  /** True if the order can only reduce a position; always true for a leg. */
  readonly reduceOnly: boolean;
  /** The legs of the order, in the order of the request; null without legs. */
  readonly bracketOrders: readonly AttachedLegItem[] | null;
}

/** A position that was closed. */
export interface ClosedPair {
  /** Pair identifier, such as `BTCUSD`. */
  readonly tradePair: string;
}

/** A position that stays open. */
export interface StayedPair {
  /** Pair identifier, such as `BTCUSD`. */
  readonly tradePair: string;
  /** Why the position could not be closed now. */
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
   * True: the request was carried out. False: FLAT_ALL closed some of the positions, and others
   * stay open.
   */
  readonly success: boolean;
  /** The outcome in one word. */
  readonly status: "filled" | "resting" | "edited" | "cancelled" | "flattened" | "partial";
  /**
   * The id of the order; for BRACKET the id of its first leg. For LIMIT_CANCEL and FLAT_ALL: the
   * ids of the orders or positions that were cancelled or closed, comma-separated.
   */
  readonly order_uuid: string;
  /** The outcome as a text for people. */
  readonly message: string;
  /** A sentence for each position that FLAT_ALL could not close; empty when `success` is true. */
  readonly error_message: string;
  /**
   * Time from the arrival of the order at the network to the network's answer, in seconds, such as
   * 0.004.
   */
  readonly processing_time: number;
  /** The network's order record as raw JSON text. Use `order` instead. */
  readonly order_json: string;
  /** The order after the request; null for LIMIT_CANCEL and FLAT_ALL. */
  readonly order: OrderRecordItem | null;
  /** The positions that FLAT_ALL closed; null for every other order. */
  readonly closed: readonly ClosedPair[] | null;
  /** The positions that FLAT_ALL could not close; null for every other order. */
  readonly stayed: readonly StayedPair[] | null;
  /**
   * The effect of the decided order on the account. `eliminated`: it was eliminated. `passed`: it
   * passed its phase, and all positions were closed. Null when neither happened.
   */
  readonly ended: "eliminated" | "passed" | null;
  /**
   * Ids of LIMIT_CANCEL or FLAT_ALL that named nothing open and were ignored; null for every other
   * order.
   */
  readonly notFound: readonly string[] | null;
}

/** The armed dead man's switch; null while none is armed. */
export interface ArmedSwitch {
  /** The deadline. The switch fires at this time unless it is armed again or ended before. */
  readonly atMs: number;
  /** Seconds from the arming of the switch to its deadline. */
  readonly seconds: number;
  /**
   * `cancel`: cancels all pending orders and legs. `flatten`: cancels them and closes all
   * positions.
   */
  readonly action: "cancel" | "flatten";
}

/** The dead man's switch after the request. */
export interface SwitchResult {
  /** The armed dead man's switch; null while none is armed. */
  readonly cancelAllAfter: ArmedSwitch | null;
  /**
   * Time from the arrival of the request at the network to the network's answer, in seconds, such
   * as 0.004.
   */
  readonly processing_time: number;
}
