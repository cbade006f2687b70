/** Why fields of the specification may be null although their rows do not say so. */
export interface AllowedNull {
  readonly fields: readonly string[];
  /** The words of the document that allow it, or a reason of this repository. */
  readonly because: { readonly words: string } | { readonly reason: string };
}

export const ALLOWED_NULLS: readonly AllowedNull[] = [
  {
    fields: ["Account proTrack.objectives[].value", "Account proTrack.objectives[].met"],
    because: {
      words:
        "The calmar and consistency values (and so their `met`) are null until `evaluated` is true.",
    },
  },
  {
    fields: ["Account proTrack.objectives[].threshold"],
    because: { words: "`met` is null while either value or threshold is unknown." },
  },
  {
    fields: ["Position stopLoss", "Position takeProfit"],
    because: { words: "attached TP/SL, when present" },
  },
  {
    fields: [
      "PendingOrder limitPrice",
      "PendingOrder leverage",
      "PendingOrder value",
      "OrderResult order.quantity",
      "OrderResult order.value",
      "OrderResult order.leverage",
    ],
    because: { words: "only the size field sent is populated" },
  },
  {
    fields: [
      "OrderResult order.price",
      "OrderResult order.slippage",
      "OrderResult order.realizedPnl",
    ],
    because: { words: "the fill is later read from netQuantity (positions) or quantity (trades)" },
  },
  {
    fields: [
      "OrderResult order.bracketOrders[].stopLoss",
      "OrderResult order.bracketOrders[].takeProfit",
      "OrderResult order.bracketOrders[].quantity",
      "OrderResult order.bracketOrders[].value",
      "OrderResult order.bracketOrders[].bracketPct",
      "OrderResult order.bracketOrders[].trailingPercent",
      "OrderResult order.bracketOrders[].trailingValue",
    ],
    because: { words: "unused ones are null" },
  },
  {
    fields: ["Payouts accrual"],
    because: { words: "live estimate for the cycle in progress; computed on the first page only" },
  },
  {
    fields: [
      "PendingOrder stopLoss",
      "PendingOrder takeProfit",
      "Trade stopLoss",
      "Trade takeProfit",
    ],
    because: { reason: "without a stop or target there is no price of one, and 0 would be one" },
  },
  {
    fields: ["Payouts items[].requestedAtMs", "Payouts items[].paidAtMs"],
    because: { reason: "a payout that is not yet requested or paid has no time of it" },
  },
  {
    fields: ["Payouts accrual.windowStartMs"],
    because: { reason: "an account that earns nothing has no cycle in progress" },
  },
  {
    fields: ["OrderResult order.bracketOrders[].orderUuid"],
    because: { reason: "a leg of a pending entry has no id before it is attached" },
  },
];

/** Nulls and values that none of the eight states can show, each with the reason. */
export const NEVER_SEEN_VALUES: Readonly<Record<string, string>> = {
  "Account proTrack.standardAccountSize null": "the network knows every size",
  "Account proTrack.proAccountSize null": "the network knows every size",
  "Account proTrack.objectives[].threshold null": "every program has all four thresholds",
  "Account drawdownRules null": "the network always has drawdown data",
  "Account elimination.reason null": "every elimination of the network has a reason",
  "Account elimination.atMs null": "every elimination of the network has a time",
  "Account elimination.drawdownPct null": "the ended one of the eight ended by its losses",
  "Position netQuantity null": "the network knows every size",
  "Trade quantity null": "the network knows every size",
  "Payouts items[].alphaAmount value": "no payout is made in alpha",
  "Payouts items[].alphaDestination value": "no payout is made in alpha",
};

/** Figures that no validator has, each with the reason. They are null for a linked account. */
export const FIGURES_UNSENT_BY_VALIDATOR: Readonly<Record<string, string>> = {
  "Payouts accrual.priorUnpaidAmount": "a validator does not tell which of its payouts are paid",
};
