// Made from the schemas of the contract by `npm run docs`.

/** What the order would do; nothing was placed. */
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
  /** The cap that makes it smaller than asked; null when none does. */
  readonly bindingCap: string | null;
  /** What it would fill at, slippage included; of a resting order its limit. */
  readonly price: number;
  /** What the slippage model adds, as a share. */
  readonly slippage: number;
  /** Of the fill, USD. */
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
    /** What would be left of the allowed loss, USD, at least 0. */
    readonly remaining: number;
    /** The same once the nearest stop of the order has been hit; null without a stop. */
    readonly remainingIfStopped: number | null;
    /** Whether that stop would end the account; null without one. */
    readonly breachedIfStopped: boolean | null;
  }[];
  /** Loss of this order at its nearest stop, fees of both fills included, USD; null: no stop. */
  readonly lossIfStopped: number | null;
}
