import { wireJson } from "@propgate/base";
import type { OrderRecordItem, OrderResult, OrderStatus } from "@propgate/contract";
import type { RenderedReceipt } from "@propgate/ledger";
import { countText, priceText } from "@propgate/wire";

/** The values of the network's answer that are not part of the order. */
export interface AnswerFacts {
  /** The network's record as it was sent; null when none was. */
  readonly orderJson: string | null;
  /** The processing time in seconds. */
  readonly processingTime: number;
  /** An error text of an accepted order; empty when there is none. */
  readonly notice: string;
}

/** The result of an accepted order; `order` is null when no record of it could be read. */
export function orderedResult(
  order: OrderRecordItem | null,
  about: AnswerFacts & {
    readonly orderUuid: string;
    /** The status of the result when the record is not known. */
    readonly expected: Extract<OrderStatus, "filled" | "resting" | "edited">;
    /** Why the legs of a filled order were not attached; null when the answer reports no such problem. */
    readonly legsProblem: string | null;
  },
): OrderResult {
  const isEdit = about.expected === "edited";
  const status = order === null ? about.expected : statusOf(order, isEdit);
  return {
    ...sharedFields(about, order),
    success: true,
    status,
    order_uuid: order?.orderUuid ?? about.orderUuid,
    message:
      order === null
        ? "The network accepted the order, but its record cannot be read. GET positions and GET orders show it."
        : orderedText(order, isEdit),
    error_message:
      about.legsProblem === null
        ? about.notice
        : `The order was filled, but ${unattachedText(order)}: ${about.legsProblem}`,
    order,
    closed: null,
    stayed: null,
    notFound: null,
  };
}

function unattachedText(order: OrderRecordItem | null): string {
  const hasLegs = (order?.bracketOrders ?? []).length > 0;
  return hasLegs ? "not all legs were attached" : "its legs were not attached";
}

/** The result of a LIMIT_CANCEL. `notFound` is null when it is not known which ids were not pending. */
export function cancelledResult(
  about: AnswerFacts & {
    readonly ids: readonly string[];
    /** The number of cancelled orders; null when it is not known. */
    readonly count: number | null;
    readonly notFound: readonly string[] | null;
    /** Open positions that no stop protects; the result names them. */
    readonly withoutStop: readonly NamedPosition[];
  },
): OrderResult {
  const { count } = about;
  const done =
    count === null
      ? "The network cancelled the pending orders."
      : count === 0
        ? "No pending order to cancel."
        : `${countText(count, "order")} cancelled.`;
  return {
    ...sharedFields(about, null),
    success: true,
    status: "cancelled",
    order_uuid: about.ids.join(","),
    message: done + notFoundText(about.notFound) + withoutStopText(about.withoutStop),
    error_message: about.notice,
    closed: null,
    stayed: null,
    notFound: about.notFound,
  };
}

/** A position that a result names. */
export interface NamedPosition {
  readonly uuid: string;
  readonly pair: string;
  readonly display: string;
}

/**
 * The result of a FLAT_ALL. `closed` is null when the account was never read before the FLAT_ALL, so it is not known
 * which positions were open.
 */
export function flattenedResult(
  about: AnswerFacts & {
    readonly closed: readonly NamedPosition[] | null;
    readonly stayed: readonly NamedPosition[];
    readonly notFound: readonly string[];
  },
): OrderResult {
  const { closed, stayed, notFound } = about;
  const stayedTexts = stayed.map(stayedText);
  return {
    ...sharedFields(about, null),
    success: stayedTexts.length === 0,
    status: stayedTexts.length === 0 ? "flattened" : "partial",
    order_uuid: (closed ?? []).map(({ uuid }) => uuid).join(","),
    message: flattenedText(closed, stayedTexts, notFound),
    error_message: [...stayedTexts, about.notice].filter((text) => text !== "").join(" "),
    closed: closed === null ? null : closed.map(({ pair }) => ({ tradePair: pair })),
    stayed: stayed.map(({ pair }) => ({ tradePair: pair, reason: "notReported" })),
    notFound,
  };
}

/**
 * The sentence about a position that stayed open. The network closes the positions that it can, and does not report why
 * another one stays open.
 */
function stayedText({ display }: NamedPosition): string {
  return `${display} stays open: the network did not close it, and does not say why.`;
}

/**
 * Renders a result as JSON. The stored form keeps the network's own record; `order_json` is empty there only
 * when the network sent none.
 */
export function renderLinkedResult(
  result: OrderResult,
  { orderJson }: AnswerFacts,
): RenderedReceipt {
  const sent = wireJson(result);
  return { sent, stored: orderJson === null ? wireJson({ ...result, order_json: "" }) : sent };
}

function sharedFields(
  { orderJson, processingTime }: AnswerFacts,
  order: OrderRecordItem | null,
): Pick<OrderResult, "order_json" | "processing_time" | "order" | "ended"> {
  // A validator's answer does not show whether the order ended the account, so `ended` is null.
  return {
    processing_time: processingTime,
    order_json: orderJson ?? wireJson(order),
    order,
    ended: null,
  };
}

function statusOf({ filled }: OrderRecordItem, isEdit: boolean): OrderStatus {
  if (filled) return "filled";
  return isEdit ? "edited" : "resting";
}

function orderedText(order: OrderRecordItem, isEdit: boolean): string {
  const { orderType, executionType, tradePairDisplay: pair } = order;
  if (!order.filled) {
    return `${executionType} ${orderType} ${pair} ${isEdit ? "was edited and rests" : "rests"}.`;
  }
  const cap = order.bindingCap === null ? "" : `, limited by ${order.bindingCap}`;
  const size = order.quantity === null ? "" : `: ${order.quantity} lots`;
  const value = order.value === null ? "" : ` (${order.value} USD)`;
  const at = order.price === null ? "" : ` at ${priceText(order.price, null)}`;
  return `${orderType} ${pair} filled${size}${value}${at}${cap}.`;
}

function flattenedText(
  closed: readonly NamedPosition[] | null,
  stayed: readonly string[],
  notFound: readonly string[],
): string {
  if (closed?.length === 0 && stayed.length === 0) return "No open position to close.";
  const done =
    closed === null
      ? "The network closed the positions that it could close."
      : `${countText(closed.length, "position")} closed.`;
  return [done, ...stayed].join(" ") + notFoundText(notFound);
}

function withoutStopText(positions: readonly NamedPosition[]): string {
  const names = positions.map(({ display }) => display).join(", ");
  return names === "" ? "" : ` Open without a stop: ${names}.`;
}

function notFoundText(notFound: readonly string[] | null): string {
  return notFound === null || notFound.length === 0
    ? ""
    : ` No longer open: ${notFound.join(", ")}.`;
}
