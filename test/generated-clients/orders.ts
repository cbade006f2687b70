/** Bodies of orders for generated clients: `RIGHT_TRADES` must compile, and `WRONG_TRADES` must not. */

const ENTRY = { trade_pair: "BTCUSD", order_type: "LONG", quantity: 0.1 } as const;
const LIMIT = { ...ENTRY, limit_price: 49_000 } as const;
const STOP = { stop_price: 50_500, stop_condition: "GTE" } as const;
const ID = { order_uuid: "b4d6f8a0-2c4e-4f6a-8b0d-1e3f5a7c9b2d" } as const;
const LEGS = [{ stop_loss: 48_000, bracket_pct: 0.5 }, { trailing_percent: 0.05 }];
const without = (fields: object, ...names: readonly string[]): object =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Bodies that must compile. The tests add the contract's own examples. */
export const RIGHT_TRADES: Readonly<Record<string, object>> = {
  marketWithLegs: { execution_type: "MARKET", ...ENTRY, bracket_orders: LEGS },
  marketWithNulls: { execution_type: "MARKET", ...ENTRY, value: null, stop_loss: null },
  trailing: { execution_type: "MARKET", ...ENTRY, trailing_stop: { trailing_value: 10 } },
  marketThatOnlyReduces: { execution_type: "MARKET", ...ENTRY, reduce_only: true },
  reduceOnly: { execution_type: "LIMIT", ...LIMIT, reduce_only: true },
  stopLimitOfAQuantity: { execution_type: "STOP_LIMIT", ...LIMIT, ...STOP },
  bracketByShare: {
    execution_type: "BRACKET",
    trade_pair: "BTCUSD",
    stop_loss: 48_000,
    bracket_pct: 1,
  },
  limitEdit: { execution_type: "LIMIT_EDIT", ...ID, ...LIMIT },
  stopLimitEdit: { execution_type: "LIMIT_EDIT", ...ID, ...LIMIT, ...STOP },
  legEdit: { execution_type: "LIMIT_EDIT", ...ID, trade_pair: "BTCUSD", take_profit: 60_000 },
  cancelAll: { execution_type: "LIMIT_CANCEL", order_uuid: "ALL", trade_pair: "BTCUSD" },
  flattenPair: { execution_type: "FLAT_ALL", trade_pair: "BTCUSD" },
};

/** Bodies that must not compile. */
export const WRONG_TRADES: Readonly<Record<string, unknown>> = {
  aNumber: 5,
  nothing: {},
  unknownKind: { execution_type: "TELEPORT", ...ENTRY },
  wordsInLowerCase: { execution_type: "MARKET", ...ENTRY, order_type: "long" },
  marketWithoutPair: { execution_type: "MARKET", ...without(ENTRY, "trade_pair") },
  marketWithoutSize: { execution_type: "MARKET", ...without(ENTRY, "quantity") },
  marketWithTwoSizes: { execution_type: "MARKET", ...ENTRY, value: 100 },
  flatWithASize: { execution_type: "MARKET", ...ENTRY, order_type: "FLAT" },
  limitWithoutPrice: { execution_type: "LIMIT", ...ENTRY },
  limitOfFlat: { execution_type: "LIMIT", ...LIMIT, order_type: "FLAT" },
  limitWithTwoSizes: { execution_type: "LIMIT", ...LIMIT, leverage: 1 },
  stopLimitWithoutStop: { execution_type: "STOP_LIMIT", ...LIMIT },
  stopLimitWithoutCondition: { execution_type: "STOP_LIMIT", ...LIMIT, stop_price: 50_500 },
  bracketWithoutLeg: { execution_type: "BRACKET", trade_pair: "BTCUSD" },
  cancelWithoutId: { execution_type: "LIMIT_CANCEL" },
  editWithoutId: { execution_type: "LIMIT_EDIT", ...LIMIT },
  editWithoutCondition: { execution_type: "LIMIT_EDIT", ...ID, ...LIMIT, stop_price: 50_500 },
  legWithoutTrigger: { execution_type: "MARKET", ...ENTRY, bracket_orders: [{ bracket_pct: 0.5 }] },
  legWithTwoSizes: {
    execution_type: "MARKET",
    ...ENTRY,
    bracket_orders: [{ stop_loss: 48_000, value: 100, quantity: 0.1 }],
  },
  twoTrailingDistances: {
    execution_type: "MARKET",
    ...ENTRY,
    trailing_stop: { trailing_percent: 0.1, trailing_value: 100 },
  },
};
