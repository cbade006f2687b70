import { wireJson } from "@propgate/base";
import type { AttachedLegItem, OrderRecordItem, OrderResult } from "@propgate/contract";
import { dollars, lots, nearestLevels } from "@propgate/core";
import type { OrderReceipt, OrderRecord, ReceiptLeg } from "@propgate/ledger";
import { NO_KIND_FIELDS } from "../entry-kinds.ts";
import {
  bindingCapText,
  ORDER_STATUS_WORDS,
  ORDER_TYPE_WORDS,
  STAY_REASON_WORDS,
} from "../wire.ts";
import { attachedLegView } from "./attached-leg.ts";
import { fillDifferenceView } from "./fill-difference.ts";
import { orderMessage, stayedTextWriter } from "./order-message.ts";
import { type PairDisplays, pairDisplay } from "./pair-display.ts";
import { pendingOrderView } from "./pending-order.ts";
import { sentSizeFields } from "./size-fields.ts";

const MS_PER_SECOND = 1000;

/**
 * The answer to an order in the API's form. `order` is null when the receipt has no order, as after LIMIT_CANCEL and
 * FLAT_ALL. @rule S2.6 decides
 */
export function orderResultView(receipt: OrderReceipt, displays: PairDisplays): OrderResult {
  const order = receipt.order === null ? null : orderRecordView(receipt.order, displays);
  const { note } = receipt;
  const stayed = note?.kind === "flattened" ? note.stayed : [];
  return {
    success: stayed.length === 0,
    status: ORDER_STATUS_WORDS[receipt.outcome],
    order_uuid: receipt.orderUuid,
    message: orderMessage(receipt, displays),
    error_message: stayed.map(stayedTextWriter(displays)).join(" "),
    // `processing_time` is in seconds, the time of the receipt in milliseconds. @rule D10.processingTime decides
    processing_time: receipt.processingMs / MS_PER_SECOND,
    order_json: wireJson(order),
    order,
    ended: receipt.ended,
    ...listsOf(note),
  };
}

/**
 * The pairs that a FLAT_ALL closed and left open, null for other orders; and the listed ids that were not found, null
 * for an order that lists none.
 * @rule D10.flattenAll D10.flattenIds D10.lists
 */
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

/**
 * Restores a linked account's result from its stored text, to the byte as it was sent. The text has the validator's own
 * `order_json`, or an empty one when `order_json` only repeats `order`.
 */
export function restoredResult(stored: string): OrderResult {
  const result = JSON.parse(stored) as OrderResult;
  return result.order_json === "" ? { ...result, order_json: wireJson(result.order) } : result;
}

function orderRecordView(record: OrderRecord, displays: PairDisplays): OrderRecordItem {
  return record.filled ? filledView(record, displays) : restingView(record, displays);
}

function filledView(
  record: Extract<OrderRecord, { filled: true }>,
  displays: PairDisplays,
): OrderRecordItem {
  const { direction } = record;
  const legs = direction === "flat" ? [] : (record.legs ?? []);
  const { stopLoss, takeProfit } = nearestLevels(legs, direction === "short" ? "short" : "long");
  return {
    orderUuid: record.orderUuid,
    tradePair: record.pair,
    tradePairDisplay: pairDisplay(displays, record.pair),
    orderType: ORDER_TYPE_WORDS[record.direction],
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
    ...NO_KIND_FIELDS,
    stopLoss,
    takeProfit,
    bracketPct: null,
    bindingCap: bindingCapText(record.bindingCap),
    ...fillDifferenceView(record),
    reduceOnly: record.reduceOnly,
    bracketOrders: legsView(record.legs),
  };
}

function restingView(
  record: Extract<OrderRecord, { filled: false }>,
  displays: PairDisplays,
): OrderRecordItem {
  const order = pendingOrderView(record.order, displays);
  return {
    orderUuid: order.orderUuid,
    tradePair: order.tradePair,
    tradePairDisplay: order.tradePairDisplay,
    orderType: order.orderType,
    executionType: order.executionType,
    filled: false,
    ...sentSizeFields(record.size),
    price: null,
    slippage: null,
    fee: null,
    realizedPnl: null,
    processedMs: order.processedMs,
    limitPrice: order.limitPrice,
    stopPrice: order.stopPrice,
    stopCondition: order.stopCondition,
    stopLoss: order.stopLoss,
    takeProfit: order.takeProfit,
    bindingCap: null,
    ...fillDifferenceView({}),
    reduceOnly: order.reduceOnly,
    bracketOrders: legsView(record.legs),
  };
}

function legsView(legs: readonly ReceiptLeg[] | null): readonly AttachedLegItem[] | null {
  return legs === null ? null : legs.map(attachedLegView);
}
