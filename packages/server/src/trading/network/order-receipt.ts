import {
  type BracketLeg,
  belongsTo,
  type CancelOrders,
  type Event,
  type Flatten,
  flattenPlan,
  type LegRequest,
  type Moment,
  never,
  type OrderFilled,
  type PendingOrder,
  positionsNamed,
  type TraderCommand,
} from "@propgate/core";
import type { VersionedState } from "../executor-port.ts";
import type { AttachedLeg, OrderReceipt, OrderRecord } from "./port.ts";

/** An order that was carried out: its events, the account after them, and the moment of the decision. */
export interface CarriedOut {
  readonly command: TraderCommand;
  readonly events: readonly Event[];
  readonly account: VersionedState;
  readonly moment: Moment;
  readonly processingMs: number;
}

/** Sums up the events of an order for its sender. @rule S2.6 D5.cancel */
export function orderReceipt(carriedOut: CarriedOut): OrderReceipt {
  const { command } = carriedOut;
  switch (command.type) {
    case "placeMarket":
    case "closePair":
      return filledReceipt(carriedOut, command);
    case "placeLimit":
    case "placeStopLimit":
    case "editOrder":
      return restingReceipt(carriedOut, command.type === "editOrder" ? "edited" : "resting");
    case "placeBracket":
      return bracketReceipt(carriedOut);
    case "cancelOrders":
      return cancelReceipt(carriedOut, command);
    case "flatten":
      return flattenReceipt(carriedOut, command);
    default:
      return never(command);
  }
}

function filledReceipt(
  { events, processingMs }: CarriedOut,
  command: TraderCommand & { type: "placeMarket" | "closePair" },
): OrderReceipt {
  const fill = only(events, "orderFilled", (one) => one.orderUuid === command.orderUuid);
  const legs = attachedTo(events);
  return {
    orderUuid: command.orderUuid,
    outcome: "filled",
    note: null,
    order: filledRecord(fill, command.type === "closePair", legs.map(attachedLeg)),
    processingMs,
  };
}

function filledRecord(
  fill: OrderFilled,
  isFlat: boolean,
  legs: readonly AttachedLeg[],
): OrderRecord {
  const { pair, price, slippage, quantity, value, leverage, realizedPnl, fee, bindingCap } = fill;
  return {
    filled: true,
    orderUuid: fill.orderUuid,
    direction: isFlat ? "flat" : fill.direction,
    processedMs: fill.atMs,
    legs: legs.length === 0 ? null : legs,
    pair,
    price,
    slippage,
    quantity,
    value,
    leverage,
    realizedPnl,
    fee,
    bindingCap,
    tookRestAlong: fill.tookRestAlong === true,
  };
}

function restingReceipt(
  { events, processingMs }: CarriedOut,
  outcome: "resting" | "edited",
): OrderReceipt {
  const placed =
    outcome === "edited"
      ? only(events, "orderEdited", () => true)
      : only(events, "orderPlaced", () => true);
  const { order, atMs } = placed;
  const legs = order.kind === "bracket" ? [attachedLeg(order)] : order.legs.map(legToCome);
  return {
    orderUuid: order.uuid,
    outcome,
    note: null,
    order: restingRecord({ order, legs, processedMs: atMs }),
    processingMs,
  };
}

/**
 * The legs are the orders that the bracket created; `bracketOrders` lists the id of each.
 * @rule D5.bracket
 */
function bracketReceipt({ events, processingMs }: CarriedOut): OrderReceipt {
  const { legs, atMs } = only(events, "legsAttached", () => true);
  const [first] = legs;
  if (first === undefined) throw new Error("broken invariant: a bracket with a leg");
  return {
    orderUuid: first.uuid,
    outcome: "resting",
    note: null,
    order: restingRecord({ order: first, legs: legs.map(attachedLeg), processedMs: atMs }),
    processingMs,
  };
}

function restingRecord(options: {
  readonly order: PendingOrder;
  readonly legs: readonly AttachedLeg[];
  readonly processedMs: OrderFilled["atMs"];
}): OrderRecord {
  const { order, legs, processedMs } = options;
  return {
    filled: false,
    order,
    size: order.size,
    processedMs,
    legs: legs.length === 0 ? null : legs,
  };
}

function cancelReceipt(
  { events, processingMs }: CarriedOut,
  { target }: CancelOrders,
): OrderReceipt {
  const ids = events.flatMap((event) =>
    event.type === "orderCancelled" && event.reason === "owner" ? [event.orderUuid] : [],
  );
  const notFound =
    target === "all" ? [] : target.filter((parent) => !ids.some((id) => belongsTo(id, parent)));
  return {
    orderUuid: ids.join(","),
    outcome: "cancelled",
    note: { kind: "cancelled", count: ids.length, notFound },
    order: null,
    processingMs,
  };
}

/** A named position that is still open could not be closed at the moment of the decision. */
function flattenReceipt(
  { events, account, moment, processingMs }: CarriedOut,
  command: Flatten,
): OrderReceipt {
  const fills = events.flatMap((event) =>
    event.type === "orderFilled" && event.kind === "flatten" ? [event] : [],
  );
  const left = positionsNamed(account.state, command);
  const { staying } = flattenPlan(left.ok ? left.value : [], moment);
  const seen: readonly string[] = [
    ...fills.map(({ positionUuid }) => positionUuid),
    ...staying.map(({ position }) => position.uuid),
  ];
  return {
    orderUuid: fills.map((fill) => fill.positionUuid).join(","),
    outcome: staying.length === 0 ? "flattened" : "partlyFlattened",
    note: {
      kind: "flattened",
      closed: fills.map((fill) => fill.pair),
      stayed: staying.map(({ position, why }) => ({ pair: position.pair, why })),
      notFound: command.target === "all" ? [] : command.target.filter((id) => !seen.includes(id)),
    },
    order: null,
    processingMs,
  };
}

function attachedTo(events: readonly Event[]): readonly BracketLeg[] {
  return events.flatMap((event) => (event.type === "legsAttached" ? event.legs : []));
}

function attachedLeg({ uuid, stopLoss, takeProfit, trailing, size }: BracketLeg): AttachedLeg {
  return { orderUuid: uuid, stopLoss, takeProfit, trailing, size };
}

/** A leg of a pending entry. It has no id before the fill attaches it. @rule D10.legIds */
function legToCome(leg: LegRequest): AttachedLeg {
  return { ...leg, orderUuid: null };
}

function only<Type extends Event["type"]>(
  events: readonly Event[],
  type: Type,
  isMeant: (event: Event & { type: Type }) => boolean,
): Event & { type: Type } {
  for (const event of events) if (isOfType(event, type) && isMeant(event)) return event;
  throw new Error(`broken invariant: a ${type} among the events of its command`);
}

function isOfType<Type extends Event["type"]>(
  event: Event,
  type: Type,
): event is Event & { type: Type } {
  return event.type === type;
}
