/** Every limit of the API, with its unit in its name. @rule S8.numbers */
export const LIMITS = {
  timestampSkewMs: 300_000,
  timestampDigitsMin: 12,
  timestampDigitsMax: 16,
  nonceCharactersMin: 1,
  nonceCharactersMax: 128,
  readBudgetPerWindow: 120,
  receiptBudgetPerWindow: 60,
  readWindowMs: 60_000,
  guardRejectionsMax: 30,
  guardWindowMs: 600_000,
  guardCooldownMs: 900_000,
  retryAfterSecondsMin: 1,
  payoutsLimitMin: 1,
  payoutsLimitDefault: 50,
  payoutsLimitMax: 200,
  bodyBytesMax: 65_536,
  jsonDepthMax: 16,
  bracketLegsMax: 10,
  restingOrdersMax: 100,
  orderAmountMax: 1_000_000_000,
  pairNameCharactersMax: 32,
} as const;

export type LimitName = keyof typeof LIMITS;

export interface LimitNote {
  /** What the number limits, in one sentence. */
  readonly what: string;
  readonly unit: string;
  readonly appliesTo: string;
  readonly rule: string;
}

/** What each number means, for the reference page. */
export const LIMIT_NOTES: Readonly<Record<LimitName, LimitNote>> = {
  timestampSkewMs: {
    what: "Farthest a timestamp may be from the server's clock, either way, inclusive.",
    unit: "milliseconds",
    appliesTo: "every request",
    rule: "S5.R1",
  },
  timestampDigitsMin: {
    what: "Fewest digits of a timestamp; seconds have fewer and are malformed.",
    unit: "decimal digits",
    appliesTo: "every request",
    rule: "D2.2",
  },
  timestampDigitsMax: {
    what: "Most digits of a timestamp.",
    unit: "decimal digits",
    appliesTo: "every request",
    rule: "D2.2",
  },
  nonceCharactersMin: {
    what: "Shortest nonce.",
    unit: "printable ASCII characters",
    appliesTo: "every request",
    rule: "D2.1",
  },
  nonceCharactersMax: {
    what: "Longest nonce. A nonce is good for one request in the life of its key.",
    unit: "printable ASCII characters",
    appliesTo: "every request",
    rule: "D2.1",
  },
  readBudgetPerWindow: {
    what: "Reads of one key in one window.",
    unit: "requests",
    appliesTo: "all GET endpoints but receipts, and the preview",
    rule: "S8.read",
  },
  receiptBudgetPerWindow: {
    what: "Receipts of one key in one window; they do not draw on the reads.",
    unit: "requests",
    appliesTo: "GET receipts",
    rule: "D10.receiptBudget",
  },
  readWindowMs: {
    what: "Length of the fixed window of both budgets: a clock minute.",
    unit: "milliseconds",
    appliesTo: "all GET endpoints and the preview",
    rule: "S8.read",
  },
  guardRejectionsMax: {
    what: "Rejected order requests of one key within the guard's window that start its cooldown.",
    unit: "requests",
    appliesTo: "POST orders",
    rule: "S8.guard",
  },
  guardWindowMs: {
    what: "How far back rejections count.",
    unit: "milliseconds",
    appliesTo: "POST orders",
    rule: "S8.guard",
  },
  guardCooldownMs: {
    what: "How long order placement is paused once the guard has closed.",
    unit: "milliseconds",
    appliesTo: "POST orders",
    rule: "S8.guard",
  },
  retryAfterSecondsMin: {
    what: "Least value of `Retry-After`.",
    unit: "seconds",
    appliesTo: "every 429",
    rule: "D2.retryAfter",
  },
  payoutsLimitMin: {
    what: "Smallest page of payouts.",
    unit: "rows",
    appliesTo: "GET payouts",
    rule: "S4.1.limit",
  },
  payoutsLimitDefault: {
    what: "Page of payouts when `limit` is not given.",
    unit: "rows",
    appliesTo: "GET payouts",
    rule: "S4.1.limit",
  },
  payoutsLimitMax: {
    what: "Largest page of payouts; a greater `limit` is treated as this.",
    unit: "rows",
    appliesTo: "GET payouts",
    rule: "S4.1.limit",
  },
  bodyBytesMax: {
    what: "Largest request body; a longer one is refused without being read to its end.",
    unit: "bytes",
    appliesTo: "every request",
    rule: "D2.body",
  },
  jsonDepthMax: {
    what: "Deepest nesting of a request body.",
    unit: "levels",
    appliesTo: "POST orders",
    rule: "D2.body",
  },
  bracketLegsMax: {
    what: "Most legs in `bracket_orders`.",
    unit: "legs",
    appliesTo: "POST orders",
    rule: "D5.legs",
  },
  restingOrdersMax: {
    what: "Most orders of one account that rest at the same time.",
    unit: "orders",
    appliesTo: "POST orders",
    rule: "D5.resting",
  },
  orderAmountMax: {
    what: "Greatest price or size an order may name; beyond it lies a slip of the keyboard.",
    unit: "the field's own",
    appliesTo: "POST orders",
    rule: "D5.fields",
  },
  pairNameCharactersMax: {
    what: "Longest pair identifier.",
    unit: "characters",
    appliesTo: "POST orders",
    rule: "D1.pairs",
  },
};
