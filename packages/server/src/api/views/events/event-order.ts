import type { EventOrder } from "@propgate/contract";
import type { PendingOrder } from "@propgate/core";
import { POSITION_WORDS, RESTING_WORDS, STOP_CONDITION_WORDS } from "../../wire.ts";
import { attachedLegView } from "../attached-leg.ts";
import { sentSize, trailingFields } from "../size.ts";

/** A pending order or leg of an event in wire words. @rule D9.eventViews */
export function eventOrder(order: PendingOrder): EventOrder {
  const common = {
    orderUuid: order.uuid,
    tradePair: order.pair,
    orderType: POSITION_WORDS[order.direction],
    executionType: RESTING_WORDS[order.kind],
    placedMs: order.placedAtMs,
    ...sentSize(order.size),
  };
  if (order.kind === "bracket") {
    return {
      ...common,
      limitPrice: null,
      stopPrice: null,
      stopCondition: null,
      stopLoss: order.stopLoss,
      takeProfit: order.takeProfit,
      ...trailingFields(order.trailing),
      positionUuid: order.positionUuid,
      reduceOnly: true,
      bracketOrders: null,
    };
  }
  return {
    ...common,
    limitPrice: order.limitPrice,
    stopPrice: order.kind === "stopLimit" ? order.stopPrice : null,
    stopCondition: order.kind === "stopLimit" ? STOP_CONDITION_WORDS[order.stopCondition] : null,
    stopLoss: null,
    takeProfit: null,
    ...trailingFields(null),
    positionUuid: null,
    reduceOnly: order.reduceOnly,
    bracketOrders: order.legs.map((leg) => attachedLegView({ ...leg, orderUuid: null })),
  };
}
