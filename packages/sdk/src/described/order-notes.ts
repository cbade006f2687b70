// Made from the schemas of the contract by `npm run docs`.

/** The meaning of each field of a leg. */
export interface OrderLegNotes {
  /** Price. LONG: below the entry; SHORT: above. A leg without a size closes the whole position. */
  readonly stop_loss?: unknown;
  /** Price. LONG: above the entry; SHORT: below. A leg without a size closes the whole position. */
  readonly take_profit?: unknown;
  /** A share of the price: 0.02 is 2 %. */
  readonly trailing_percent?: unknown;
  /** A distance in price units. */
  readonly trailing_value?: unknown;
  /** Size as a multiple of the balance. */
  readonly leverage?: unknown;
  /** Size in USD. */
  readonly value?: unknown;
  /** Size in the pair's lot unit. */
  readonly quantity?: unknown;
  /** Share of the position before any of its legs filled: 0.5 is a half. */
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
   * Pair identifier, such as `BTCUSD` or `btc/usd`. LIMIT_CANCEL: with `ALL`, only this pair's
   * orders. Beside ids it is not needed. FLAT_ALL: without ids, only this pair's position. Beside
   * ids it is not needed.
   */
  readonly trade_pair?: unknown;
  /**
   * Direction. `FLAT`: Closes the position, without a size. A leg: not needed, the position's
   * direction. LIMIT_CANCEL: not needed, the direction of the ids. FLAT_ALL: not needed; `FLAT`, or
   * beside ids their direction.
   */
  readonly order_type?: unknown;
  /** Size as a multiple of the balance. */
  readonly leverage?: unknown;
  /** Size in USD. */
  readonly value?: unknown;
  /** Size in the pair's lot unit. */
  readonly quantity?: unknown;
  /** Price. LONG: below the entry; SHORT: above. A leg without a size closes the whole position. */
  readonly stop_loss?: unknown;
  /** Price. LONG: above the entry; SHORT: below. A leg without a size closes the whole position. */
  readonly take_profit?: unknown;
  /** A stop that follows the best price: exactly one of the two distances. */
  readonly trailing_stop?: unknown;
  /** Several legs; excludes the fields of a single leg. */
  readonly bracket_orders?: readonly OrderLegNotes[];
  /**
   * MARKET: true for an order that only reduces the position of the moment. FLAT, FLAT_ALL: not
   * needed, they only close. LIMIT, STOP_LIMIT: true for an order that only reduces the position
   * and is cancelled when the position closes. A leg: not needed, it only reduces.
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
  /** Share of the position before any of its legs filled: 0.5 is a half. */
  readonly bracket_pct?: unknown;
  /** LIMIT_CANCEL, FLAT_ALL: ids with commas between them, or `ALL`. LIMIT_EDIT: the order's id. */
  readonly order_uuid?: unknown;
}
