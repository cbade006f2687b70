// Made from the schemas of the contract by `npm run docs`.

/** The effect of an order that is not placed. */
export interface Preview {
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** Direction. */
  readonly orderType: "LONG" | "SHORT" | "FLAT";
  /** After cap and grid, in the pair's lot unit. */
  readonly quantity: number;
  /** The same in USD. */
  readonly value: number;
  /** The same as a multiple of the balance. */
  readonly leverage: number;
  /** The cap that makes the order smaller than requested; null when none does. */
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
  /** The fill price, slippage included; for an order that would rest its limit price. */
  readonly price: number;
  /** The slippage of the fill, as a share of the price. */
  readonly slippage: number;
  /** The fee of the fill, USD. */
  readonly fee: number;
  /** Value of everything open after it, as a multiple of the balance. */
  readonly accountLeverageAfter: number;
  /** Value that could still be opened after it, USD. */
  readonly buyingPowerAfter: number;
  /** Every loss limit after it, in the order of `drawdownRules.limits`. */
  readonly limitsAfter: readonly {
    /** The `rule` of the limit, as in `drawdownRules.limits`. */
    readonly rule: "dailyLoss" | "static" | "eod_trailing";
    /** Its name in `drawdownRules`; null for a limit that only `limits` has. */
    readonly limit: "dailyLoss" | "maxLoss" | null;
    /** When it is judged, as in `drawdownRules.limits`. */
    readonly checked: "live" | "end_of_day";
    /**
     * The rest of the allowed loss after the order if the limit were judged at that moment, USD, at
     * least 0.
     */
    readonly remaining: number;
    /** The same after the nearest stop of the order has triggered; null without a stop. */
    readonly remainingIfStopped: number | null;
    /**
     * Whether that stop would end the account; null without one. False for `end_of_day`, which is
     * judged with the equity of 00:00 UTC alone: there `remainingIfStopped` says how near the day's
     * end would be.
     */
    readonly breachedIfStopped: boolean | null;
  }[];
  /**
   * Loss of the whole order at its nearest stop, with its fee and the fee of what the stop closes,
   * USD; null without a stop.
   */
  readonly lossIfStopped: number | null;
  /**
   * How the order would end the account in its own moment, as `ended` of POST orders; else null.
   */
  readonly ended: "eliminated" | "passed" | null;
}
