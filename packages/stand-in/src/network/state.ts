import type { PairCategory } from "./instruments.ts";

/** A direction, or the closing of a position. */
export type OrderType = "LONG" | "SHORT" | "FLAT";
export type ExecutionType = "MARKET" | "LIMIT" | "STOP_LIMIT" | "BRACKET";

/** The network's codes of an order's origin or end (`src`), as far as the stand-in uses them. */
export const ORDER_SRC = {
  organic: 0,
  eliminationFlat: 1,
  maxOrdersClose: 4,
  limitUnfilled: 5,
  limitFilled: 6,
  limitCancelled: 7,
  bracketUnfilled: 8,
  bracketFilled: 9,
  bracketCancelled: 10,
  flatAll: 11,
  promotion: 12,
  stopLimitUnfilled: 13,
  stopLimitFilled: 14,
  stopLimitCancelled: 15,
  eliminationCancelled: 18,
} as const;

/** A trailing distance: a fraction of the best price, or price units. */
export type Trailing = { readonly percent: number } | { readonly value: number };

/** The size of an order as its sender gave it. */
export interface OrderSize {
  readonly kind: "leverage" | "value" | "quantity" | "bracketPct";
  readonly amount: number;
}

/** One protective leg as it was sent with an order. */
export interface LegRequest {
  readonly uuid: string | null;
  readonly stopLoss: number | null;
  readonly takeProfit: number | null;
  readonly trailing: Trailing | null;
  readonly size: OrderSize | null;
}

/** A filled, resting or ended order. SHORT sizes are negative. */
export interface Order {
  uuid: string;
  pair: string;
  type: OrderType;
  executionType: ExecutionType;
  src: number;
  leverage: number | null;
  value: number | null;
  quantity: number | null;
  bracketPct: number | null;
  /** The fill price; 0 while the order rests. For a trailing leg it is the best price so far. */
  price: number;
  bid: number;
  ask: number;
  quoteUsdRate: number;
  usdBaseRate: number;
  processedMs: number;
  realizedPnl: number;
  limitPrice: number | null;
  stopPrice: number | null;
  stopCondition: "GTE" | "LTE" | null;
  stopLoss: number | null;
  takeProfit: number | null;
  trailing: Trailing | null;
  marginLoan: number;
  legs: readonly LegRequest[];
  /** The label of the cap that shrank the order; null when none did. */
  bindingCap: string | null;
  /** When the order last changed; the dashboard's cursor compares it. */
  changedMs: number;
}

export interface Fee {
  readonly atMs: number;
  readonly type: string;
  readonly amount: number;
}

export interface Position {
  readonly uuid: string;
  readonly pair: string;
  /** The direction of the first order; the dashboard shows FLAT once the position is closed. */
  readonly type: "LONG" | "SHORT";
  readonly openMs: number;
  closeMs: number | null;
  /** The open quantity in lots, negative for SHORT. */
  netQuantity: number;
  averageEntry: number;
  realized: number;
  /** The sum of the orders' leverages, with their signs. */
  netLeverage: number;
  /** The USD value at the last order, negative for SHORT. */
  netValue: number;
  /** The USD value of the open part at its entry prices, without sign. */
  entryValue: number;
  borrowed: number;
  unrealized: number;
  orders: Order[];
  fees: Fee[];
  changedMs: number;
}

/** The values from which the drawdown limits are computed. Each equity is a ratio of the account size. */
export interface Drawdown {
  dailyOpenEquity: number | null;
  eodHwm: number;
  lastEodEquity: number;
  lastEodCheckedMs: number;
  intradayThreshold: number;
  eodThreshold: number;
  staticThreshold: number;
}

export interface Elimination {
  readonly atMs: number;
  readonly reason: string;
  readonly dd: number;
}

/** A JSON value as the control calls take it. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

export interface Subaccount {
  readonly hotkey: string;
  readonly number: number;
  readonly uuid: string;
  assetClass: string;
  accountSize: number;
  standardAccountSize: number;
  proAccountSize: number | null;
  criteria: "trailing" | "static";
  status: "pending" | "active" | "eliminated" | "failed" | "unknown";
  bucket: string;
  leverageTier: 1 | 2 | 3;
  createdAtMs: number;
  bucketStartMs: number;
  payoutAddress: string | null;
  hlAddress: string | null;
  totalRealized: number;
  totalFees: number;
  dividends: number;
  capitalUsed: number;
  capitalByClass: Partial<Record<PairCategory, number>>;
  borrowed: number;
  maxReturn: number;
  drawdown: Drawdown;
  elimination: Elimination | null;
  /** The keys of `pro_stats`, sent without a change; null leaves the section out. */
  proStats: Readonly<Record<string, Json>> | null;
  positions: Position[];
  resting: Order[];
  /** Orders that rested and ended by a fill or a cancel. */
  ended: Order[];
  /** Ids of ended resting orders that no reader of the dashboard has received yet. */
  undrained: string[];
  /** The ids of ended orders that the last reader of the dashboard has received. */
  lastDrained: string[];
  checkpoints: { atMs: number; values: Readonly<Record<string, Json>> }[];
  dailyReturns: { date: string; percent: number }[];
  /** For each pair, the time of the last order that filled on its arrival. The cooldown begins at this time. */
  lastOrderMs: Record<string, number>;
  /** The data of the payout call; null makes the call answer 404. */
  payout: Readonly<Record<string, Json>> | null;
  /**
   * Values that replace the values of the dashboard, by `section.key`. `absent` names the sections and keys that are
   * left out.
   */
  overrides: Record<string, Json>;
  absent: string[];
}

/** One order call that reached the validator. */
export interface Submission {
  readonly uuid: string;
  readonly hotkey: string;
  readonly executionType: string;
  /**
   * The body without the ids of the order and its legs, as JSON with sorted keys. A cancel, an edit or a FLAT_ALL keeps
   * its id, which names the target.
   */
  readonly content: string;
  readonly atMs: number;
  /** True when the validator carried out the call; false when it refused the call. */
  readonly isAccepted: boolean;
  /** The refusal, or the error text of an accepted fill; null when there is no error. */
  readonly error: string | null;
  readonly orderJson: string;
}

export interface Price {
  readonly bid: number;
  readonly ask: number;
}

/** The whole state of the stand-in. It is plain JSON data, so that a file can keep it. */
export interface NetworkState {
  readonly entity: string;
  lastMs: number;
  nextUuid: number;
  cooldownMs: number;
  sourceName: string;
  prices: Record<string, Price>;
  closedMarkets: string[];
  subaccounts: Record<string, Subaccount>;
  submissions: Submission[];
}

/** A state of a network without subaccounts and prices. */
export function emptyNetworkState(entity: string, cooldownMs: number): NetworkState {
  return {
    entity,
    lastMs: 0,
    nextUuid: 1,
    cooldownMs,
    sourceName: "stand-in",
    prices: {},
    closedMarkets: [],
    subaccounts: {},
    submissions: [],
  };
}
