import type { EventOrder } from "@propgate/contract";
import type { PendingOrder } from "@propgate/core";
import { PENDING_KIND_WORDS } from "../../entry-kinds.ts";
import { DIRECTION_WORDS } from "../../wire.ts";
import { orderFields } from "../pending-order.ts";
import { sentSizeFields } from "../size-fields.ts";

/** A pending order or leg of an event in the API's form. @rule D9.eventViews */
export function eventOrderView(order: PendingOrder): EventOrder {
  return {
    orderUuid: order.uuid,
    tradePair: order.pair,
    orderType: DIRECTION_WORDS[order.direction],
    executionType: PENDING_KIND_WORDS[order.kind],
    placedMs: order.placedAtMs,
    ...sentSizeFields(order.size),
    ...orderFields(order),
  };
}
