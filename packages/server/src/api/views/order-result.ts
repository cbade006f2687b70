import type { AttachedLegItem, OrderRecordItem, OrderResult } from "@propgate/contract";
import { dollars, type Instruments, lots } from "@propgate/core";
import { wireJson } from "../../base/wire-json.ts";
import type {
  AttachedLeg,
  OrderReceipt,
  OrderRecord,
  RenderedReceipt,
} from "../../trading/network/port.ts";
import { bindingCapText, ORDER_STATUS_WORDS, ORDER_WORDS, STAY_REASON_WORDS } from "../wire.ts";
import { attachedLegView } from "./attached-leg.ts";
import { orderMessage, stayedText } from "./order-message.ts";
import { pairDisplay } from "./pair-display.ts";
import { firstLegs, pendingOrderView } from "./pending-order.ts";
import { sentSize } from "./size.ts";

const MS_PER_SECOND = 1000;

/** The result of an order in wire words. @rule S2.6 */
export function orderResultView(receipt: OrderReceipt, instruments: Instruments): OrderResult {
  const order = receipt.order === null ? null : orderRecordView(receipt.order, instruments);
  const { note } = receipt;
  const stayed = note?.kind === "flattened" ? note.stayed : [];
  return {
    success: stayed.length === 0,
    status: ORDER_STATUS_WORDS[receipt.outcome],
    order_uuid: receipt.orderUuid,
    message: orderMessage(receipt, instruments),
    error_message: stayed.map(stayedText(instruments)).join(" "),
    processing_time: receipt.processingMs / MS_PER_SECOND,
    order_json: wireJson(order),
    order,
    ...listsOf(note),
  };
}

/** The pairs that a FLAT_ALL closed and left open, and the listed ids that were not found. @rule D10.flattenAll D10.lists */
function listsOf(note: OrderReceipt["note"]): Pick<OrderResult, "closed" | "stayed" | "notFound"> {
  if (note === null) return { closed: null, stayed: null, notFound: null };
  const { notFound } = note;
  if (note.kind === "cancelled") return { closed: null, stayed: null, notFound };
  return {
    closed: note.closed.map((pair) => ({ tradePair: pair })),
    stayed: note.stayed.map(({ pair, why }) => ({
      tradePair: pair,
      reason: STAY_REASON_WORDS[why.code],
    })),
    notFound,
  };
}

const EMPTY_ORDER_JSON = '"order_json":""';

/**
 * Renders an order's result as JSON. The stored form leaves `order_json` empty: it repeats `order`,
 * and is half of the text.
 */
export function renderOrderResult(
  receipt: OrderReceipt,
  instruments: Instruments,
): RenderedReceipt {
  const result = orderResultView(receipt, instruments);
  const stored = wireJson({ ...result, order_json: "" });
  // No string value can contain the searched text: JSON escapes its quotes.
  const sent = stored.replace(
    EMPTY_ORDER_JSON,
    () => `"order_json":${JSON.stringify(result.order_json)}`,
  );
  return { sent, stored };
}

/**
 * Restores a result from its stored form, to the byte as it was sent. A stored `order_json` that is not empty
 * is a validator's own text, which `order` does not give back.
 */
export function storedResult(stored: string): OrderResult {
  const result = JSON.parse(stored) as OrderResult;
  return result.order_json === "" ? { ...result, order_json: wireJson(result.order) } : result;
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
    bindingCap: bindingCapText(record.bindingCap),
    reduceOnly: false,
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
    reduceOnly: order.reduceOnly,
    bracketOrders: legsView(record.legs),
  };
}

function legsView(legs: readonly AttachedLeg[] | null): readonly AttachedLegItem[] | null {
  return legs === null ? null : legs.map(attachedLegView);
}
