/** The fields of a pending order that most examples leave null. */
export const UNUSED = {
  stopPrice: null,
  stopCondition: null,
  leverage: null,
  value: null,
  quantity: null,
  bracketPct: null,
} as const;
/** The trailing fields of an order or leg without a trailing stop. */
export const NO_DISTANCE = { trailingPercent: null, trailingValue: null } as const;
