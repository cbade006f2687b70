import type { OneSize, OrderTrade, PendingOrder } from "@propgate/contract";
import type { Order } from "ccxt";
import { ask, CALLS } from "../calls.ts";
import { ccxtError, type Desk } from "../ccxt-module.ts";
import { type OrderArguments, type OrderAsk, readOrderAsk, type Size } from "./order-params.ts";
import { entryTrade, levels, pairOf, trailingOf } from "./order-trade.ts";
import { placedOrder } from "./order-view.ts";
import { orderId, place } from "./place.ts";

/** The arguments of ccxt's `editOrder`, as they come. */
export interface EditArguments extends OrderArguments {
  readonly id: string;
}

/**
 * Replaces a pending order or leg under its id. Fields that are not given keep their value, above
 * all an attached stop or target: the service takes the whole order anew and would drop them. If
 * another client attached several legs, only the first is listed, and stays.
 */
export async function editOrder(desk: Desk, given: EditArguments): Promise<Order> {
  await desk.exchange.loadMarkets();
  const order = readOrderAsk(desk, given);
  const before = (await ask(desk, CALLS.orders)).find((one) => one.orderUuid === given.id);
  if (before === undefined) {
    throw ccxtError(desk, "OrderNotFound", `order ${given.id} is not resting`);
  }
  checkSame(desk, given, before);
  const trade =
    before.executionType === "BRACKET"
      ? editedLeg(desk, before, order)
      : editedEntry(desk, before, { symbol: given.symbol, order: withTheRest(before, order) });
  const id = orderId(order.clientOrderId);
  const result = await place(desk, trade, id);
  const amount = order.amount ?? before.quantity ?? undefined;
  const { side, reduceOnly } = order;
  return placedOrder(desk, result, { clientOrderId: id.nonce, amount, side, reduceOnly });
}

/** Throws when pair or side differ from the order's: such an edit is meant for another order. */
function checkSame(desk: Desk, given: EditArguments, before: PendingOrder): void {
  const isLeg = before.executionType === "BRACKET";
  const side = (before.orderType === "LONG") === isLeg ? "sell" : "buy";
  const isSame = before.tradePair === pairOf(desk, given.symbol) && side === given.side;
  if (isSame && (isLeg || given.type === "limit")) return;
  const what = `${isLeg ? "market" : "limit"} ${side} order in ${before.tradePairDisplay}`;
  throw ccxtError(desk, "InvalidOrder", `order ${before.orderUuid} is a ${what} and stays one`);
}

function withTheRest(before: PendingOrder, order: OrderAsk): OrderAsk {
  const isSized = order.amount !== undefined || order.otherSize !== undefined;
  const trailing = order.trailing ?? trailingBefore(before);
  return {
    ...order,
    price: order.price ?? before.limitPrice ?? undefined,
    triggerPrice: order.triggerPrice ?? before.stopPrice ?? undefined,
    triggerDirection: order.triggerDirection ?? before.stopCondition ?? undefined,
    attached: {
      stopLoss: order.attached.stopLoss ?? before.stopLoss ?? undefined,
      takeProfit: order.attached.takeProfit ?? before.takeProfit ?? undefined,
    },
    trailing,
    amount: isSized ? order.amount : (before.quantity ?? undefined),
    otherSize: isSized ? order.otherSize : otherSizeBefore(before),
  };
}

function otherSizeBefore({ leverage, value }: PendingOrder): Size | undefined {
  if (leverage !== null) return { field: "leverage", amount: leverage };
  return value === null ? undefined : { field: "value", amount: value };
}

function trailingBefore(before: PendingOrder): OrderAsk["trailing"] {
  if (before.trailingPercent !== null) return { percent: before.trailingPercent };
  return before.trailingValue === null ? undefined : { value: before.trailingValue };
}

function editedEntry(
  desk: Desk,
  before: PendingOrder,
  after: { readonly symbol: string; readonly order: OrderAsk },
): OrderTrade {
  const trade = entryTrade(desk, after.symbol, after.order);
  if (trade.execution_type !== "LIMIT" && trade.execution_type !== "STOP_LIMIT") {
    throw ccxtError(desk, "InvalidOrder", "only a limit order rests and can be edited");
  }
  return { ...trade, execution_type: "LIMIT_EDIT", order_uuid: before.orderUuid };
}

function editedLeg(desk: Desk, before: PendingOrder, order: OrderAsk): OrderTrade {
  const { attached, onPosition, price, otherSize } = order;
  const misplaced = [attached.stopLoss, attached.takeProfit, price, otherSize?.amount];
  if (misplaced.some((one) => one !== undefined)) {
    throw ccxtError(
      desk,
      "InvalidOrder",
      "a leg is edited by amount, stopLossPrice, takeProfitPrice, trailingPercent or trailingAmount",
    );
  }
  return {
    execution_type: "LIMIT_EDIT",
    order_uuid: before.orderUuid,
    trade_pair: before.tradePair,
    ...levels({
      stopLoss: onPosition.stopLoss ?? before.stopLoss ?? undefined,
      takeProfit: onPosition.takeProfit ?? before.takeProfit ?? undefined,
    }),
    ...trailingOf({ trailing: order.trailing ?? trailingBefore(before) }),
    ...legSize(before, order),
  };
}

function legSize(
  before: PendingOrder,
  { amount }: OrderAsk,
): Partial<OneSize> | { readonly bracket_pct: number } {
  if (amount !== undefined) return { quantity: amount };
  if (before.quantity !== null) return { quantity: before.quantity };
  if (before.bracketPct !== null) return { bracket_pct: before.bracketPct };
  const other = otherSizeBefore(before);
  if (other?.field === "leverage") return { leverage: other.amount };
  return other === undefined ? {} : { value: other.amount };
}
