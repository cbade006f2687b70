// Made from the schemas of the contract by `npm run docs`.

/** The effect that an order would have. The order is not placed. */
export interface Preview {
  /** Pair identifier, such as `BTCUSD`. */
  readonly tradePair: string;
  /** Direction; for BRACKET that of the position. */
  readonly orderType: "LONG" | "SHORT" | "FLAT";
  /**
   * Quantity that would fill, after leverage caps and rounding, in the pair's lot unit; 0 when
   * nothing would fill.
   */
  readonly quantity: number;
  /** `quantity` as a value in USD. */
  readonly value: number;
  /** `value` as a multiple of the balance. */
  readonly leverage: number;
  /** The leverage cap that makes the fill smaller than requested; null when none does. */
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
  /**
   * Fill price, slippage included. For an order that would stay pending: its limit price. For
   * BRACKET: the mark price of the position.
   */
  readonly price: number;
  /** Slippage of the fill, as a share of the quoted price. */
  readonly slippage: number;
  /** Fee of the fill, USD. */
  readonly fee: number;
  /** Value of all open positions after the order, as a multiple of the balance. */
  readonly accountLeverageAfter: number;
  /** Position value that could still be opened after the order, USD, at least 0. */
  readonly buyingPowerAfter: number;
  /** Every loss limit after the order, in the sequence of `drawdownRules.limits`. */
  readonly limitsAfter: readonly {
    /** The loss limit, as `rule` of `drawdownRules.limits`. */
    readonly rule: "dailyLoss" | "static" | "eod_trailing";
    /** The name of the limit in `drawdownRules`; null for a limit that is only in `limits`. */
    readonly limit: "dailyLoss" | "maxLoss" | null;
    /** When the limit is checked, as `checked` of `drawdownRules.limits`. */
    readonly checked: "live" | "end_of_day";
    /** Allowed loss that would remain after the order, measured at live equity, USD, at least 0. */
    readonly remaining: number;
    /**
     * `remaining` after the order's nearest stop has also triggered, USD, at least 0; null without
     * a stop.
     */
    readonly remainingIfStopped: number | null;
    /**
     * Whether the nearest stop would breach this limit; null without a stop. Always false for
     * `end_of_day`, which is checked only at 00:00 UTC. `remainingIfStopped` shows how close that
     * check would be.
     */
    readonly breachedIfStopped: boolean | null;
  }[];
  /**
   * Loss of the whole order at the price of its nearest stop, USD, with the fee of the order and
   * the fee of what the stop closes. A positive number is a loss. Null without a stop.
   */
  readonly lossIfStopped: number | null;
  /**
   * The value that `ended` of POST orders would have; null when the order would neither eliminate
   * the account nor pass its phase.
   */
  readonly ended: "eliminated" | "passed" | null;
}
