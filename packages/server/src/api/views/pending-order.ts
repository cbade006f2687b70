import type { PendingOrder as PendingOrderItem } from "@propgate/contract";
import type { BracketLeg, EntryOrder, LegRequest, PendingOrder } from "@propgate/core";
import { POSITION_WORDS, RESTING_WORDS, STOP_CONDITION_WORDS } from "../wire.ts";
import { attachedLegView } from "./attached-leg.ts";
import { type PairDisplays, pairDisplay } from "./pair-display.ts";
import { sentSize, trailingFields } from "./size.ts";

/** A pending order or leg in wire words. @rule S2.3 D5.legWords */
export function pendingOrderView(order: PendingOrder, displays: PairDisplays): PendingOrderItem {
  return {
    orderUuid: order.uuid,
    tradePair: order.pair,
    tradePairDisplay: pairDisplay(displays, order.pair),
    orderType: POSITION_WORDS[order.direction],
    executionType: RESTING_WORDS[order.kind],
    processedMs: order.placedAtMs,
    ...(order.kind === "bracket" ? legFields(order) : entryFields(order)),
    ...sentSize(order.size),
  };
}

type Distinct = Pick<
  PendingOrderItem,
  | "limitPrice"
  | "stopPrice"
  | "stopCondition"
  | "stopLoss"
  | "takeProfit"
  | "trailingPercent"
  | "trailingValue"
  | "positionUuid"
  | "reduceOnly"
  | "bracketOrders"
>;

function legFields(leg: BracketLeg): Distinct {
  return {
    limitPrice: null,
    stopPrice: null,
    stopCondition: null,
    stopLoss: leg.stopLoss,
    takeProfit: leg.takeProfit,
    ...trailingFields(leg.trailing),
    positionUuid: leg.positionUuid,
    reduceOnly: true,
    bracketOrders: null,
  };
}

function entryFields(order: EntryOrder): Distinct {
  const { stopLoss, takeProfit, trailing } = firstLegs(order.legs);
  return {
    limitPrice: order.limitPrice,
    stopPrice: "stopPrice" in order ? order.stopPrice : null,
    stopCondition: "stopCondition" in order ? STOP_CONDITION_WORDS[order.stopCondition] : null,
    stopLoss,
    takeProfit,
    ...trailingFields(trailing),
    positionUuid: null,
    reduceOnly: order.reduceOnly,
    bracketOrders: order.legs.map((leg) => attachedLegView({ ...leg, orderUuid: null })),
  };
}

/** The first stop, target and trailing among legs that an entry will attach. */
export function firstLegs(legs: readonly Omit<LegRequest, "size">[]): Omit<LegRequest, "size"> {
  return {
    stopLoss: legs.find((leg) => leg.stopLoss !== null)?.stopLoss ?? null,
    takeProfit: legs.find((leg) => leg.takeProfit !== null)?.takeProfit ?? null,
    trailing: legs.find((leg) => leg.trailing !== null)?.trailing ?? null,
  };
}
