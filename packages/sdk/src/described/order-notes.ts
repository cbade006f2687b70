// Made from the schemas of the contract by `npm run docs`.

/** The meaning of each field of a leg. */
export interface OrderLegNotes {
  /**
   * Stop price. LONG: below the entry; SHORT: above. A leg without a size closes the whole
   * position.
   */
  readonly stop_loss?: unknown;
  /**
   * Target price. LONG: above the entry; SHORT: below. A leg without a size closes the whole
   * position.
   */
  readonly take_profit?: unknown;
  /** Distance as a share of the price: 0.02 is 2 %. */
  readonly trailing_percent?: unknown;
  /** Distance in price units. */
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
   * `MARKET`: Fills immediately at the market price. `LIMIT`: Fills at the limit price or better.
   * `STOP_LIMIT`: A limit order that a stop price triggers. `BRACKET`: Legs for an open position.
   * `LIMIT_CANCEL`: Cancels pending orders or legs. `LIMIT_EDIT`: Replaces a pending order. Send
   * the whole order again. `FLAT_ALL`: Closes all positions, or the positions with the given ids.
   */
  readonly execution_type?: unknown;
  /**
   * Pair identifier, such as `BTCUSD` or `btc/usd`. LIMIT_CANCEL: with `ALL`, cancels only the
   * orders of this pair. Not needed together with ids. FLAT_ALL: without ids, closes only the
   * position of this pair. Not needed together with ids.
   */
  readonly trade_pair?: unknown;
  /**
   * `LONG` buys, `SHORT` sells. `FLAT`: `FLAT` closes the whole position, without a size. BRACKET:
   * not needed. If given: the direction of the position. LIMIT_CANCEL: not needed. If given: the
   * direction of the orders with the ids. FLAT_ALL: not needed. If given: `FLAT`, or with ids the
   * direction of their positions.
   */
  readonly order_type?: unknown;
  /** Size as a multiple of the balance. */
  readonly leverage?: unknown;
  /** Size in USD. */
  readonly value?: unknown;
  /** Size in the pair's lot unit. */
  readonly quantity?: unknown;
  /**
   * Stop price. LONG: below the entry; SHORT: above. A leg without a size closes the whole
   * position.
   */
  readonly stop_loss?: unknown;
  /**
   * Target price. LONG: above the entry; SHORT: below. A leg without a size closes the whole
   * position.
   */
  readonly take_profit?: unknown;
  /** A stop that follows the best price. Exactly one distance. */
  readonly trailing_stop?: unknown;
  /** Several legs; excludes the fields of a single leg. */
  readonly bracket_orders?: readonly OrderLegNotes[];
  /**
   * MARKET: true for an order that only reduces the position that is open when it fills. FLAT,
   * FLAT_ALL: not needed, because they only close. LIMIT, STOP_LIMIT: true for an order that only
   * reduces the position and is cancelled when the position closes. BRACKET: not needed, because
   * legs only reduce.
   */
  readonly reduce_only?: unknown;
  /** Not needed. If given: the account of the API key. */
  readonly accountId?: unknown;
  /** The worst price at which the order may fill. */
  readonly limit_price?: unknown;
  /** Mid price at which the order becomes a limit order. */
  readonly stop_price?: unknown;
  /** `GTE`: triggers when the mid price is at or above `stop_price`. `LTE`: at or below. */
  readonly stop_condition?: unknown;
  /** Share of the position before any of its legs filled: 0.5 is a half. */
  readonly bracket_pct?: unknown;
  /**
   * LIMIT_CANCEL, FLAT_ALL: one id, comma-separated ids, or `ALL`. LIMIT_EDIT: the id of the order.
   */
  readonly order_uuid?: unknown;
}
