import { canonicalId, editTrade, type PendingOrder } from "@propgate/contract";
import type { Order } from "ccxt";
import { API_CALLS, callApi } from "../calls.ts";
import { ccxtError, type ExchangeContext } from "../ccxt-module.ts";
import type { ClientOrderIds } from "./client-order-ids.ts";
import { type OrderArguments, pairOf, paramsOf, parseArguments } from "./order-params.ts";
import { checkTrade } from "./order-trade.ts";
import { placedOrder } from "./order-view.ts";
import { orderNonce, place } from "./place.ts";

/** The arguments of ccxt's `editOrder`, unchanged. */
export interface EditArguments extends OrderArguments {
  readonly id: string;
}

/**
 * Replaces a pending order or leg and keeps its id. Fields that are not given keep their value, including stops and
 * targets.
 */
export async function editOrder(
  desk: ExchangeContext,
  given: EditArguments,
  clientOrderIds: ClientOrderIds,
): Promise<Order> {
  await desk.exchange.loadMarkets();
  const { side, fields, clientOrderId } = parseArguments(desk, given);
  const isMeant = ({ orderUuid }: PendingOrder) => canonicalId(orderUuid) === canonicalId(given.id);
  const before = (await callApi(desk, API_CALLS.orders)).find(isMeant);
  if (before === undefined) {
    throw ccxtError(desk, "OrderNotFound", `order ${given.id} is not pending`);
  }
  checkSame(desk, given, before);
  // Pair and direction cannot change: `checkSame` has compared them with the order's.
  const { trade_pair: _, order_type: __, ...changes } = fields;
  const edited = editTrade(before, { fields: changes });
  if ("misplaced" in edited) {
    const text = `a ${before.executionType} order does not take ${paramsOf(edited.misplaced)}`;
    throw ccxtError(desk, "InvalidOrder", text);
  }
  if ("legs" in edited) {
    const text = `order ${given.id} has ${edited.legs} legs, and ccxt cannot say which one to change`;
    throw ccxtError(desk, "InvalidOrder", text);
  }
  const id = orderNonce(clientOrderId);
  const result = await place(desk, checkTrade(desk, edited.trade), id);
  const isLeg = before.executionType === "BRACKET";
  return placedOrder(desk, result, {
    // The order keeps the `clientOrderId` with which it was placed. A failure to read it is ignored, because the edit
    // has succeeded.
    clientOrderId: isLeg
      ? undefined
      : await clientOrderIds.lookUp(before.orderUuid).catch(() => undefined),
    amount: fields.quantity ?? before.quantity ?? undefined,
    side,
    reduceOnly: fields.reduce_only ?? before.reduceOnly,
  });
}

/** Throws when pair, side or type differ from the order's, because such an edit is meant for another order. */
function checkSame(desk: ExchangeContext, given: EditArguments, before: PendingOrder): void {
  const isLeg = before.executionType === "BRACKET";
  const side = (before.orderType === "LONG") === isLeg ? "sell" : "buy";
  const isSame = before.tradePair === pairOf(desk, given.symbol) && side === given.side;
  if (isSame && (isLeg || given.type === "limit")) return;
  const what = `${isLeg ? "market" : "limit"} ${side} order in ${before.tradePairDisplay}`;
  throw ccxtError(desk, "InvalidOrder", `order ${before.orderUuid} is a ${what} and stays one`);
}
