import type { EventOrder, PendingOrder } from "@propgate/contract";
import { observedEvent } from "@propgate/wire";
import type { LinkedReadings } from "../dashboard/linked-readings.ts";
import type { LinkedPairs } from "../dashboard/pairs.ts";
import { linkedPendingOrdersView } from "../views/pending-orders.ts";
import type { ObservedChange } from "./observed-change.ts";
import { parentOrderId } from "./parent-order-id.ts";

type Pending = ReadonlyMap<string, EventOrder>;

/** The pending orders and legs of a reading and of the previous reading. */
export interface PendingRead {
  readonly before: Pending;
  readonly after: Pending;
  /** The ids of all orders that the reading shows as filled. */
  readonly filled: ReadonlySet<string>;
  /** The ids of those filled orders whose fills no earlier reading had. */
  readonly justFilled: ReadonlySet<string>;
  readonly positions: LinkedReadings["positions"];
}

/** The pending entries and legs by id, in the order of acceptance. */
export function pendingOrdersById(
  readings: LinkedReadings | null,
  pairs: LinkedPairs | null,
): Pending {
  if (readings === null) return new Map();
  return new Map(
    linkedPendingOrdersView(readings, pairs).map((order) => [order.orderUuid, eventOrder(order)]),
  );
}

/** The events of orders that have become pending, that have changed, or that are gone without a fill. */
export function pendingLines(read: PendingRead): readonly ObservedChange[] {
  const { before, after } = read;
  const fresh = [...after.values()].filter(({ orderUuid }) => !before.has(orderUuid));
  const edited = [...after.values()].filter((order) => {
    const known = before.get(order.orderUuid);
    return known !== undefined && !isSame(known, order);
  });
  const gone = [...before.values()].filter(({ orderUuid }) => !after.has(orderUuid));
  return [
    ...fresh.filter(({ executionType }) => executionType !== "BRACKET").map(restingChange),
    ...edited.map((order) => orderChange(order, { type: "order.edited", act: "edited" })),
    ...attachedChanges(fresh, read),
    ...gone.flatMap((order) => endedChanges(order, read)),
  ];
}

function restingChange(order: EventOrder): ObservedChange {
  const continues = parentOrderId(order.orderUuid) !== order.orderUuid;
  return orderChange(order, { type: "order.resting", act: continues ? null : "placed" });
}

function orderChange(
  order: EventOrder,
  {
    type,
    act,
  }: { readonly type: "order.resting" | "order.edited"; readonly act: ObservedChange["act"] },
): ObservedChange {
  return {
    event: observedEvent(type, { order }, order.placedMs),
    orderMs: order.placedMs,
    orderUuid: order.orderUuid,
    pair: order.tradePair,
    record: null,
    isUnlessFilled: false,
    act,
  };
}

/** One event for all new legs of an order. */
function attachedChanges(
  fresh: readonly EventOrder[],
  { before, justFilled }: PendingRead,
): readonly ObservedChange[] {
  const legs = fresh.filter(({ executionType }) => executionType === "BRACKET");
  const parents = new Set(legs.map(({ orderUuid }) => parentOrderId(orderUuid)));
  return [...parents].flatMap((each) => {
    const group = legs.filter(({ orderUuid }) => parentOrderId(orderUuid) === each);
    const [first] = group;
    if (first === undefined) return [];
    // The legs of an entry that was pending are attached because a price filled the entry, not because an order was
    // placed.
    const isPlaced = justFilled.has(each) && !before.has(each);
    return [
      {
        event: observedEvent("legs.attached", { legs: group }, first.placedMs),
        orderMs: first.placedMs,
        orderUuid: first.orderUuid,
        pair: first.tradePair,
        record: null,
        isUnlessFilled: false,
        act: isPlaced ? ("placed" as const) : ("attached" as const),
      },
    ];
  });
}

function endedChanges(
  order: EventOrder,
  { after, filled, positions }: PendingRead,
): readonly ObservedChange[] {
  const { orderUuid, tradePair: pair, executionType, positionUuid } = order;
  if (filled.has(orderUuid)) return [];
  const common = { orderMs: null, orderUuid, pair, record: null } as const;
  const limit = `${orderUuid}-limit`;
  if (executionType === "STOP_LIMIT" && (after.has(limit) || filled.has(limit))) {
    const event = observedEvent("order.triggered", { orderUuid }, null);
    return [{ ...common, event, isUnlessFilled: false, act: null }];
  }
  const isWithPosition = positionUuid !== null && !Object.hasOwn(positions, positionUuid);
  const reason = isWithPosition ? "positionClosed" : null;
  const event = observedEvent("order.cancelled", { orderUuid, reason, refusalCode: null }, null);
  return [{ ...common, event, isUnlessFilled: true, act: isWithPosition ? null : "cancelled" }];
}

/**
 * True when nothing about the order has changed. The position's id is not compared, because a leg may be listed before
 * its position is.
 */
function isSame(one: EventOrder, other: EventOrder): boolean {
  return (
    JSON.stringify({ ...one, positionUuid: null }) ===
    JSON.stringify({ ...other, positionUuid: null })
  );
}

function eventOrder({
  processedMs,
  tradePairDisplay: _display,
  currentStop: _stop,
  bestPrice: _best,
  ...order
}: PendingOrder): EventOrder {
  return { ...order, placedMs: processedMs };
}
