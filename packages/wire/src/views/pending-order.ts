import type { PendingOrder as PendingOrderItem } from "@propgate/contract";
import {
  type BracketLeg,
  type EntryOrder,
  nearestLevels,
  type PendingOrder,
  stopLevel,
} from "@propgate/core";
import {
  type KindFields,
  kindFields,
  NO_KIND_FIELDS,
  PENDING_KIND_WORDS,
  SHARED_LEG_FIELDS,
  type SharedOrderFields,
  sharedEntryFields,
} from "../entry-kinds.ts";
import { DIRECTION_WORDS } from "../wire.ts";
import { attachedLegView } from "./attached-leg.ts";
import { type PairDisplays, pairDisplay } from "./pair-display.ts";
import { sentSizeFields, trailingFields } from "./size-fields.ts";

/**
 * A pending order or leg in the API's form. The execution type of a leg is `BRACKET`, and its direction is that of its
 * position. @rule S2.3 @rule D5.legWords decides
 */
export function pendingOrderView(order: PendingOrder, displays: PairDisplays): PendingOrderItem {
  return {
    orderUuid: order.uuid,
    tradePair: order.pair,
    tradePairDisplay: pairDisplay(displays, order.pair),
    orderType: DIRECTION_WORDS[order.direction],
    executionType: PENDING_KIND_WORDS[order.kind],
    processedMs: order.placedAtMs,
    ...orderFields(order),
    ...sentSizeFields(order.size),
    ...currentStopFields(order),
  };
}

/**
 * The present stop and the best price of a trailing leg. Both are null without an order and for any other order.
 * @rule D13.currentStop decides
 */
export function currentStopFields(
  order: PendingOrder | null,
): Pick<PendingOrderItem, "currentStop" | "bestPrice"> {
  if (order?.kind !== "bracket" || order.trailing === null) {
    return { currentStop: null, bestPrice: null };
  }
  return { currentStop: stopLevel(order), bestPrice: order.bestPrice };
}

type Distinct = SharedOrderFields &
  KindFields &
  Pick<
    PendingOrderItem,
    | "stopLoss"
    | "takeProfit"
    | "trailingPercent"
    | "trailingValue"
    | "positionUuid"
    | "bracketOrders"
  >;

/** The fields of an order that every answer and event shows alike. @rule D13.oneReading decides */
export function orderFields(order: PendingOrder): Distinct {
  return order.kind === "bracket" ? legFields(order) : entryFields(order);
}

function legFields(leg: BracketLeg): Distinct {
  return {
    ...NO_KIND_FIELDS,
    stopLoss: leg.stopLoss,
    takeProfit: leg.takeProfit,
    ...trailingFields(leg.trailing),
    positionUuid: leg.positionUuid,
    ...SHARED_LEG_FIELDS,
    bracketOrders: null,
  };
}

function entryFields(order: EntryOrder): Distinct {
  const { legs, direction } = order;
  return {
    ...kindFields(order),
    ...nearestLevels(legs, direction),
    ...trailingFields(legs.find(({ trailing }) => trailing !== null)?.trailing ?? null),
    positionUuid: null,
    ...sharedEntryFields(order),
    // The legs of a pending entry have no ids before they are attached. @rule D10.legIds decides
    bracketOrders: legs.map((leg) => attachedLegView({ ...leg, orderUuid: null })),
  };
}
