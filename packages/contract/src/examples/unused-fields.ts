/** Fields of pending orders that most examples do not use. */
export const UNUSED = {
  stopPrice: null,
  stopCondition: null,
  leverage: null,
  value: null,
  quantity: null,
  bracketPct: null,
} as const;
export const NO_DISTANCE = { trailingPercent: null, trailingValue: null } as const;
