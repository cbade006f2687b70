import type { EventOrder } from "@propgate/contract";
import type { PendingOrder } from "@propgate/core";
import { RESTING_WORDS } from "../../entry-kinds.ts";
import { POSITION_WORDS } from "../../wire.ts";
import { orderFields } from "../pending-order.ts";
import { sentSize } from "../size.ts";

/** A pending order or leg of an event in wire words. @rule D9.eventViews */
export function eventOrder(order: PendingOrder): EventOrder {
  return {
    orderUuid: order.uuid,
    tradePair: order.pair,
    orderType: POSITION_WORDS[order.direction],
    executionType: RESTING_WORDS[order.kind],
    placedMs: order.placedAtMs,
    ...sentSize(order.size),
    ...orderFields(order),
  };
}
