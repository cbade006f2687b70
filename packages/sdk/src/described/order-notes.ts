// Made from the schemas of the contract by `npm run docs`.

/** The meaning of each field of a leg. */
export interface OrderLegNotes {
  /** Price. LONG: below the entry; SHORT: above. */
  readonly stop_loss?: unknown;
  /** Price. LONG: above the entry; SHORT: below. */
  readonly take_profit?: unknown;
  /** A share of the price. */
  readonly trailing_percent?: unknown;
  /** A distance in price units. */
  readonly trailing_value?: unknown;
  /** Size as a multiple of the balance. */
  readonly leverage?: unknown;
  /** Size in USD. */
  readonly value?: unknown;
  /** Size in the pair's lot unit. */
  readonly quantity?: unknown;
  /** Share of the position before any of its legs filled. */
  readonly bracket_pct?: unknown;
}

/** The meaning of each field of an order. */
export interface OrderNotes {
  /**
   * `MARKET`: At the market. `LIMIT`: At a price or better. `STOP_LIMIT`: A limit order with a
   * stop. `BRACKET`: Legs for a position. `LIMIT_CANCEL`: Cancels. `LIMIT_EDIT`: Replaces a pending
   * order; send the whole order again. `FLAT_ALL`: Closes every position, or the named ones.
   */
  readonly execution_type?: unknown;
  /**
   * Pair identifier, such as `BTCUSD` or `btc/usd`. With `ALL`, only this pair's orders. Not needed
   * beside ids: their pair. Without ids, only this pair's position. Not needed beside ids: their
   * pair.
   */
  readonly trade_pair?: unknown;
  /**
   * Direction. `FLAT`: Without a size. Not needed: the position's direction. Not needed: the
   * direction of the ids. Not needed: `FLAT`, or beside ids their direction.
   */
  readonly order_type?: unknown;
  /** Size as a multiple of the balance. */
  readonly leverage?: unknown;
  /** Size in USD. */
  readonly value?: unknown;
  /** Size in the pair's lot unit. */
  readonly quantity?: unknown;
  /** Price. LONG: below the entry; SHORT: above. */
  readonly stop_loss?: unknown;
  /** Price. LONG: above the entry; SHORT: below. */
  readonly take_profit?: unknown;
  /** A stop that follows the best price: exactly one of the two distances. */
  readonly trailing_stop?: unknown;
  /** Several legs; excludes the fields of a single leg. */
  readonly bracket_orders?: readonly OrderLegNotes[];
  /**
   * True for an order that only reduces the position of the moment. Not needed: it only closes.
   * True for an order that only reduces the position and is cancelled when the position closes. Not
   * needed: a leg only reduces.
   */
  readonly reduce_only?: unknown;
  /** Not needed: the bound account. */
  readonly accountId?: unknown;
  /** The worst price to fill at. */
  readonly limit_price?: unknown;
  /** Mid price at which it becomes a limit order. */
  readonly stop_price?: unknown;
  /** `GTE`: at or above the stop; `LTE`: at or below. */
  readonly stop_condition?: unknown;
  /** Share of the position before any of its legs filled. */
  readonly bracket_pct?: unknown;
  /** Ids with commas between them, or `ALL`. The order's id. */
  readonly order_uuid?: unknown;
}
