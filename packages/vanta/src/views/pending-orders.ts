import type { AttachedLegItem, PendingOrder } from "@propgate/contract";
import { SHARED_LEG_FIELDS, usdOrNull } from "@propgate/wire";
import type { LinkedOrder, LinkedPosition, LinkedReadings } from "../dashboard/linked-readings.ts";
import type { LinkedPairs } from "../dashboard/pairs.ts";
import { magnitudeUsd } from "./exact-usd.ts";
import { linkedPairId } from "./positions.ts";
import { nearestLevels } from "./stop-levels.ts";

/** Pending orders and legs of positions in the API's form, in the order of acceptance. @rule S2.3 */
export function linkedPendingOrdersView(
  readings: LinkedReadings,
  pairs: LinkedPairs | null,
): readonly PendingOrder[] {
  return [...pendingOf(readings).values()]
    .toSorted((one, other) => one.processedMs - other.processedMs)
    .map((pending) => pendingItem(pending, pairs));
}

/** A pending order or leg, with the fields that the answer needs, none of which is missing. */
interface Pending {
  readonly order: LinkedOrder;
  readonly pairDisplay: string;
  readonly type: "LONG" | "SHORT";
  readonly executionType: PendingOrder["executionType"];
  readonly processedMs: number;
  readonly positionUuid: string | null;
}

/**
 * The pending orders and legs by id. The network lists a leg with its position, among the pending orders, or in both.
 */
function pendingOf(readings: LinkedReadings): ReadonlyMap<string, Pending> {
  const pending = new Map<string, Pending>();
  const positions = Object.values(readings.positions);
  for (const position of positions) {
    for (const leg of position.legs) {
      pending.set(leg.uuid, {
        order: leg,
        pairDisplay: position.pairDisplay,
        type: position.direction,
        executionType: "BRACKET",
        processedMs: leg.processedMs ?? position.openMs,
        positionUuid: position.uuid,
      });
    }
  }
  for (const order of Object.values(readings.orders)) {
    const entry = readPending(order, positions);
    if (entry !== null) pending.set(order.uuid, entry);
  }
  return pending;
}

function readPending(order: LinkedOrder, positions: readonly LinkedPosition[]): Pending | null {
  const { type, executionType, pairDisplay, processedMs } = order;
  // None of these is missing: the decoding rejects a pending order without one of these fields.
  if (type === null || type === "FLAT" || pairDisplay === null || processedMs === null) return null;
  if (executionType === null || executionType === "MARKET" || executionType === "FLAT_ALL") {
    return null;
  }
  const position =
    executionType === "BRACKET"
      ? positions.find(
          (one) =>
            one.pairDisplay === pairDisplay &&
            one.direction === type &&
            (processedMs >= one.openMs || isAttachedBy(order, one)),
        )
      : undefined;
  return {
    order,
    pairDisplay,
    type,
    executionType,
    processedMs,
    positionUuid: position?.uuid ?? null,
  };
}

/**
 * True when the leg was placed with an entry of the position. It is not enough to compare times: such a leg can be
 * older than its position, like a leg of an earlier position.
 */
function isAttachedBy({ uuid }: LinkedOrder, { fills }: LinkedPosition): boolean {
  return (fills ?? []).some((fill) => uuid.startsWith(`${fill.uuid}-bracket-`));
}

function pendingItem(
  { order, pairDisplay, type, executionType, processedMs, positionUuid }: Pending,
  pairs: LinkedPairs | null,
): PendingOrder {
  const isLeg = executionType === "BRACKET";
  const legs = isLeg ? null : legsOf(order);
  const shown = legs ?? [legItem(order)];
  return {
    orderUuid: order.uuid,
    tradePair: linkedPairId(pairDisplay, pairs),
    tradePairDisplay: pairDisplay,
    orderType: type,
    executionType,
    processedMs,
    limitPrice: isLeg ? null : order.limitPrice,
    stopPrice: order.stopPrice,
    stopCondition: order.stopCondition,
    ...sizeOf(order),
    ...nearestLevels({ direction: type }, shown),
    trailingPercent: firstOf(shown, "trailingPercent"),
    trailingValue: firstOf(shown, "trailingValue"),
    currentStop: null,
    bestPrice: null,
    positionUuid,
    ...SHARED_LEG_FIELDS,
    reduceOnly: isLeg,
    bracketOrders: legs,
  };
}

/**
 * The legs that an entry will attach. Without a list, the stop, target or trailing stop of the order itself is one leg.
 */
function legsOf(order: LinkedOrder): readonly AttachedLegItem[] {
  if (order.legs.length > 0) {
    return order.legs.map((leg) => ({ ...legItem(leg), ...sizeOf(leg) }));
  }
  const own = legItem(order);
  const hasTrigger = [own.stopLoss, own.takeProfit, own.trailingPercent, own.trailingValue].some(
    (level) => level !== null,
  );
  return hasTrigger ? [own] : [];
}

function legItem(order: LinkedOrder): AttachedLegItem {
  return {
    // A leg has an id for a cancel only once it is attached.
    orderUuid: null,
    stopLoss: order.stopLoss,
    takeProfit: order.takeProfit,
    quantity: null,
    value: null,
    leverage: null,
    bracketPct: null,
    trailingPercent: order.trailingPercent,
    trailingValue: order.trailingValue,
  };
}

type SizeFields = Pick<PendingOrder, "leverage" | "value" | "quantity" | "bracketPct">;

/**
 * The size of an order, without a sign. The network sends 0 for the kinds of size that the order does not have, and a
 * negative size for a SHORT.
 */
function sizeOf({ leverage, value, quantity, bracketPct }: LinkedOrder): SizeFields {
  return {
    leverage: sent(leverage),
    value: sent(usdOrNull(magnitudeUsd(value))),
    quantity: sent(quantity),
    bracketPct: sent(bracketPct),
  };
}

function sent(size: number | null): number | null {
  return size === null || size === 0 ? null : Math.abs(size);
}

function firstOf<Field extends "trailingPercent" | "trailingValue">(
  legs: readonly AttachedLegItem[],
  field: Field,
): number | null {
  return legs.find((leg) => leg[field] !== null)?.[field] ?? null;
}
