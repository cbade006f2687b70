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
  candlesLimitMin: 1,
  candlesLimitDefault: 200,
  candlesLimitMax: 1000,
  eventsLimitMin: 1,
  eventsLimitDefault: 100,
  eventsLimitMax: 500,
  eventsWaitSecondsMax: 25,
  eventWaitsMax: 8,
  answerBytesMax: 262_144,
  expensiveReadsMax: 2,
  expensiveReadWaitMs: 2_000,
  bodyBytesMax: 65_536,
  jsonDepthMax: 16,
  bracketLegsMax: 10,
  listedOrdersMax: 100,
  switchSecondsMin: 1,
  switchSecondsMax: 86_400,
  orderAmountMax: 1_000_000_000,
  pairNameCharactersMax: 32,
} as const;

export type LimitName = keyof typeof LIMITS;

export interface LimitNote {
  /** The meaning of the number, in one sentence. */
  readonly what: string;
  readonly unit: string;
  readonly appliesTo: string;
  readonly rule: string;
}

/** The meaning of each limit, for the reference page. */
export const LIMIT_NOTES: Readonly<Record<LimitName, LimitNote>> = {
  timestampSkewMs: {
    what: "Maximum distance of a timestamp from the server's clock, in either direction, inclusive.",
    unit: "milliseconds",
    appliesTo: "every request",
    rule: "S5.R1",
  },
  timestampDigitsMin: {
    what: "Minimum digits of a timestamp; a timestamp in seconds has fewer and is malformed.",
    unit: "decimal digits",
    appliesTo: "every request",
    rule: "D2.2",
  },
  timestampDigitsMax: {
    what: "Maximum digits of a timestamp.",
    unit: "decimal digits",
    appliesTo: "every request",
    rule: "D2.2",
  },
  nonceCharactersMin: {
    what: "Minimum length of a nonce.",
    unit: "printable ASCII characters",
    appliesTo: "every request",
    rule: "D2.1",
  },
  nonceCharactersMax: {
    what: "Maximum length of a nonce. A key can use a nonce once in its life.",
    unit: "printable ASCII characters",
    appliesTo: "every request",
    rule: "D2.1",
  },
  readBudgetPerWindow: {
    what: "Maximum reads of one key in one window.",
    unit: "requests",
    appliesTo: "all GET endpoints except receipts, and the preview",
    rule: "S8.read",
  },
  receiptBudgetPerWindow: {
    what: "Maximum receipts of one key in one window; they do not count as reads.",
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
    what: "Period in which the guard counts rejections.",
    unit: "milliseconds",
    appliesTo: "POST orders",
    rule: "S8.guard",
  },
  guardCooldownMs: {
    what: "Pause of order placement that the guard starts.",
    unit: "milliseconds",
    appliesTo: "POST orders",
    rule: "S8.guard",
  },
  retryAfterSecondsMin: {
    what: "Minimum value of `Retry-After`.",
    unit: "seconds",
    appliesTo: "every 429",
    rule: "D2.retryAfter",
  },
  payoutsLimitMin: {
    what: "Minimum page of payouts.",
    unit: "rows",
    appliesTo: "GET payouts",
    rule: "S4.1.limit",
  },
  payoutsLimitDefault: {
    what: "Default page of payouts, without `limit`.",
    unit: "rows",
    appliesTo: "GET payouts",
    rule: "S4.1.limit",
  },
  payoutsLimitMax: {
    what: "Maximum page of payouts; a greater `limit` is treated as this.",
    unit: "rows",
    appliesTo: "GET payouts",
    rule: "S4.1.limit",
  },
  candlesLimitMin: {
    what: "Minimum page of candles.",
    unit: "candles",
    appliesTo: "GET candles",
    rule: "D9.candles",
  },
  candlesLimitDefault: {
    what: "Default page of candles, without `limit`.",
    unit: "candles",
    appliesTo: "GET candles",
    rule: "D9.candles",
  },
  candlesLimitMax: {
    what: "Maximum page of candles; a greater `limit` is rejected.",
    unit: "candles",
    appliesTo: "GET candles",
    rule: "D9.candles",
  },
  eventsLimitMin: {
    what: "Minimum page of events.",
    unit: "events",
    appliesTo: "GET events",
    rule: "D9.events",
  },
  eventsLimitDefault: {
    what: "Default page of events, without `limit`.",
    unit: "events",
    appliesTo: "GET events",
    rule: "D9.events",
  },
  eventsLimitMax: {
    what: "Maximum page of events; a greater `limit` is rejected.",
    unit: "events",
    appliesTo: "GET events",
    rule: "D9.events",
  },
  eventsWaitSecondsMax: {
    what: "Maximum `wait` for the next event.",
    unit: "seconds",
    appliesTo: "GET events",
    rule: "D9.wait",
  },
  eventWaitsMax: {
    what: "Maximum requests of one account that wait at the same time in one process; another is answered immediately.",
    unit: "requests",
    appliesTo: "GET events",
    rule: "D9.wait",
  },
  answerBytesMax: {
    what: "Maximum size of an answer's JSON before compression; its list then holds fewer items than `limit`, and `next` continues.",
    unit: "bytes",
    appliesTo:
      "GET events, order-history, fills, candles, orders/{orderUuid}, and trades with `after` or `limit`",
    rule: "D13.answerBytes",
  },
  expensiveReadsMax: {
    what: "Maximum expensive reads of one account at the same time in one process, of all its keys together; further ones wait.",
    unit: "requests",
    appliesTo:
      "GET trades, candles, order-history, fills, orders/{orderUuid}, and events without `wait`",
    rule: "D13.expensiveReads",
  },
  expensiveReadWaitMs: {
    what: "Maximum wait of an expensive read for its turn; then it is answered with 429 and `Retry-After`.",
    unit: "milliseconds",
    appliesTo:
      "GET trades, candles, order-history, fills, orders/{orderUuid}, and events without `wait`",
    rule: "D13.expensiveReads",
  },
  bodyBytesMax: {
    what: "Maximum size of a request body; the rest of a longer one is not read.",
    unit: "bytes",
    appliesTo: "every request",
    rule: "D2.body",
  },
  jsonDepthMax: {
    what: "Maximum nesting of a request body.",
    unit: "levels",
    appliesTo: "POST orders",
    rule: "D2.body",
  },
  bracketLegsMax: {
    what: "Maximum legs in `bracket_orders`.",
    unit: "legs",
    appliesTo: "POST orders",
    rule: "D5.legs",
  },
  listedOrdersMax: {
    what: "Maximum pending orders of one account.",
    unit: "orders",
    appliesTo: "POST orders",
    rule: "D5.resting",
  },
  switchSecondsMin: {
    what: "Shortest time to the deadline of the dead man's switch; due work is looked for about once a second.",
    unit: "seconds",
    appliesTo: "POST cancel-all-after",
    rule: "D9.cancelAllAfter",
  },
  switchSecondsMax: {
    what: "Longest time to the deadline of the dead man's switch: a day without a sign of life.",
    unit: "seconds",
    appliesTo: "POST cancel-all-after",
    rule: "D9.cancelAllAfter",
  },
  orderAmountMax: {
    what: "Maximum price or size of an order; a greater number is rejected as a typo.",
    unit: "the field's own",
    appliesTo: "POST orders",
    rule: "D5.fields",
  },
  pairNameCharactersMax: {
    what: "Maximum length of a pair identifier.",
    unit: "characters",
    appliesTo: "POST orders",
    rule: "D1.pairs",
  },
};
