import type { AttachedLegItem, OrderRecordItem, OrderResult } from "@propgate/contract";
import { dollars, type Instruments, lots } from "@propgate/core";
import type { AttachedLeg, OrderReceipt, OrderRecord } from "../../network/port.ts";
import { ORDER_STATUS_WORDS, ORDER_WORDS } from "../wire.ts";
import { orderMessage } from "./order-message.ts";
import { pairDisplay } from "./pair-display.ts";
import { firstLegs, pendingOrderView } from "./pending-order.ts";
import { sentSize, trailingFields } from "./size.ts";

/** What became of an order as it goes out. @rule S2.6 */
export function orderResultView(receipt: OrderReceipt, instruments: Instruments): OrderResult {
  const order = receipt.order === null ? null : orderRecordView(receipt.order, instruments);
  return {
    success: true,
    status: ORDER_STATUS_WORDS[receipt.outcome],
    order_uuid: receipt.orderUuid,
    message: orderMessage(receipt, instruments),
    error_message: "",
    processing_time: receipt.processingMs,
    order_json: JSON.stringify(order),
    order,
  };
}

/** The result as a receipt keeps it: `order_json` says `order` once more, and half of it all. */
export function keptResult(result: OrderResult): string {
  return JSON.stringify({ ...result, order_json: "" });
}

/** The same result again, to the byte. Only receipts of accepted orders hold such a text. */
export function resultAgain(text: string): OrderResult {
  const kept = JSON.parse(text) as OrderResult;
  return { ...kept, order_json: JSON.stringify(kept.order) };
}

function orderRecordView(record: OrderRecord, instruments: Instruments): OrderRecordItem {
  return record.filled ? filledView(record, instruments) : restingView(record, instruments);
}

function filledView(
  record: Extract<OrderRecord, { filled: true }>,
  instruments: Instruments,
): OrderRecordItem {
  const { stopLoss, takeProfit } = firstLegs(record.legs ?? []);
  return {
    orderUuid: record.orderUuid,
    tradePair: record.pair,
    tradePairDisplay: pairDisplay(instruments, record.pair),
    orderType: ORDER_WORDS[record.direction],
    executionType: "MARKET",
    filled: true,
    quantity: lots(record.quantity),
    value: dollars(record.value),
    leverage: record.leverage,
    price: record.price,
    slippage: record.slippage,
    fee: dollars(record.fee),
    realizedPnl: dollars(record.realizedPnl),
    processedMs: record.processedMs,
    limitPrice: null,
    stopPrice: null,
    stopCondition: null,
    stopLoss,
    takeProfit,
    bracketPct: null,
    bindingCap: record.bindingCap,
    bracketOrders: legsView(record.legs),
  };
}

function restingView(
  record: Extract<OrderRecord, { filled: false }>,
  instruments: Instruments,
): OrderRecordItem {
  const order = pendingOrderView(record.order, instruments);
  return {
    orderUuid: order.orderUuid,
    tradePair: order.tradePair,
    tradePairDisplay: order.tradePairDisplay,
    orderType: order.orderType,
    executionType: order.executionType,
    filled: false,
    ...sentSize(record.size),
    price: null,
    slippage: null,
    fee: null,
    realizedPnl: null,
    processedMs: record.processedMs,
    limitPrice: order.limitPrice,
    stopPrice: order.stopPrice,
    stopCondition: order.stopCondition,
    stopLoss: order.stopLoss,
    takeProfit: order.takeProfit,
    bindingCap: null,
    bracketOrders: legsView(record.legs),
  };
}

function legsView(legs: readonly AttachedLeg[] | null): readonly AttachedLegItem[] | null {
  if (legs === null) return null;
  return legs.map((leg) => ({
    orderUuid: leg.orderUuid,
    stopLoss: leg.stopLoss,
    takeProfit: leg.takeProfit,
    ...sentSize(leg.size),
    ...trailingFields(leg.trailing),
  }));
}
