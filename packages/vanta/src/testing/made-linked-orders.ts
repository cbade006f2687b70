import type { LinkedOrder, LinkedPosition, LinkedReadings } from "../dashboard/linked-readings.ts";
import { madeReadings } from "./made-readings.ts";

/** A pending LIMIT of 1 BTC at 90,000; `changes` replace its fields. */
export function madeLinkedOrder(changes: Partial<LinkedOrder> = {}): LinkedOrder {
  return {
    uuid: "order-1",
    pairDisplay: "BTC/USDC",
    type: "LONG",
    executionType: "LIMIT",
    processedMs: 1,
    value: null,
    leverage: null,
    quantity: 1,
    bracketPct: null,
    price: null,
    sourceOrSlippage: null,
    limitPrice: 90_000,
    stopPrice: null,
    stopCondition: null,
    stopLoss: null,
    takeProfit: null,
    trailingPercent: null,
    trailingValue: null,
    legs: [],
    ...changes,
  };
}

/** A leg of a LONG without a trigger, for the whole position. */
export function madeLinkedLeg(changes: Partial<LinkedOrder> = {}): LinkedOrder {
  return madeLinkedOrder({
    uuid: "leg-1",
    executionType: "BRACKET",
    quantity: null,
    limitPrice: null,
    ...changes,
  });
}

/** An open LONG of 1 BTC/USDC that was bought at 100,000. */
export function madeLinkedPosition(changes: Partial<LinkedPosition> = {}): LinkedPosition {
  const uuid = changes.uuid ?? "position-1";
  const fill = { uuid, executionType: "MARKET", price: 100_000, limitPrice: null } as const;
  return {
    uuid,
    pairDisplay: "BTC/USDC",
    direction: "LONG",
    openMs: 1,
    closeMs: null,
    currentReturn: null,
    returnAtClose: null,
    averageEntryPrice: 100_000,
    realizedPnl: null,
    unrealizedPnl: null,
    netLeverage: null,
    netValue: null,
    fills: [madeLinkedOrder(fill)],
    legs: [],
    fees: null,
    feeHistory: null,
    ...changes,
  };
}

/** The readings of an account with these open positions and pending orders. */
export function madeLinkedReadings({
  positions = [],
  orders = [],
}: {
  readonly positions?: readonly LinkedPosition[];
  readonly orders?: readonly LinkedOrder[];
}): LinkedReadings {
  return {
    ...madeReadings({}).readings,
    positions: Object.fromEntries(positions.map((one) => [one.uuid, one])),
    orders: Object.fromEntries(orders.map((one) => [one.uuid, one])),
  };
}
