import {
  type BracketLeg,
  type Event,
  flattenPlan,
  type LegRequest,
  legUuid,
  type Moment,
  never,
  type OrderFilled,
  type OrderUuid,
  type PairId,
  type Refusal,
  type RestingOrder,
  type TraderCommand,
} from "@propgate/core";
import type { Executed } from "./executor-port.ts";
import type { AttachedLeg, OrderReceipt, OrderRecord } from "./port.ts";

/** An order that is carried out, and the moment at which it was decided. */
export interface CarriedOut {
  readonly command: TraderCommand;
  readonly execution: Executed;
  readonly moment: Moment;
  readonly processingMs: number;
}

/** What the events of a command mean to whoever sent it. @rule S2.6 D5.cancel */
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
      return cancelReceipt(carriedOut);
    case "flatten":
      return flattenReceipt(carriedOut, command.target);
    default:
      return never(command);
  }
}

function filledReceipt(
  { execution, processingMs }: CarriedOut,
  command: TraderCommand & { type: "placeMarket" | "closePair" },
): OrderReceipt {
  const fill = only(execution.events, "orderFilled", (one) => one.orderUuid === command.orderUuid);
  const legs = attachedTo(execution.events);
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
  };
}

function restingReceipt(
  { execution, processingMs }: CarriedOut,
  outcome: "resting" | "edited",
): OrderReceipt {
  const placed =
    outcome === "edited"
      ? only(execution.events, "orderEdited", () => true)
      : only(execution.events, "orderPlaced", () => true);
  const { order, atMs } = placed;
  const legs = order.kind === "bracket" ? [] : order.legs.map(legToCome(order.uuid));
  return {
    orderUuid: order.uuid,
    outcome,
    note: null,
    order: restingRecord({ order, legs, processedMs: atMs }),
    processingMs,
  };
}

/** Its legs are the orders it made: their ids are what can be edited and cancelled. @rule D5.bracket */
function bracketReceipt({ execution, processingMs }: CarriedOut): OrderReceipt {
  const { legs, atMs } = only(execution.events, "legsAttached", () => true);
  const [first] = legs;
  if (first === undefined) throw new Error("broken invariant: a bracket with a leg");
  return {
    orderUuid: legs.map(({ uuid }) => uuid).join(","),
    outcome: "resting",
    note: null,
    order: restingRecord({ order: first, legs: legs.map(attachedLeg), processedMs: atMs }),
    processingMs,
  };
}

function restingRecord(need: {
  readonly order: RestingOrder;
  readonly legs: readonly AttachedLeg[];
  readonly processedMs: OrderFilled["atMs"];
}): OrderRecord {
  const { order, legs, processedMs } = need;
  return {
    filled: false,
    order,
    size: order.size,
    processedMs,
    legs: legs.length === 0 ? null : legs,
  };
}

function cancelReceipt({ execution, processingMs }: CarriedOut): OrderReceipt {
  const ids = execution.events.flatMap((event) =>
    event.type === "orderCancelled" && event.reason === "owner" ? [event.orderUuid] : [],
  );
  return {
    orderUuid: ids.join(","),
    outcome: "cancelled",
    note: ids.length === 0 ? { kind: "nothingToCancel" } : { kind: "cancelled", count: ids.length },
    order: null,
    processingMs,
  };
}

function flattenReceipt(
  { execution, moment, processingMs }: CarriedOut,
  target: (TraderCommand & { type: "flatten" })["target"],
): OrderReceipt {
  const fills = execution.events.flatMap((event) =>
    event.type === "orderFilled" && event.kind === "flatten" ? [event] : [],
  );
  const stayed = stillOpen(execution, target, moment);
  return {
    orderUuid: fills.map((fill) => fill.positionUuid).join(","),
    outcome: "flattened",
    note:
      fills.length === 0 && stayed.length === 0
        ? { kind: "nothingOpen" }
        : { kind: "flattened", closed: fills.map((fill) => fill.pair), stayed },
    order: null,
    processingMs,
  };
}

/** What is open after a flatten is what it could not close at the moment at which it was decided. */
function stillOpen(
  { account }: CarriedOut["execution"],
  target: (TraderCommand & { type: "flatten" })["target"],
  moment: Moment,
): readonly { readonly pair: PairId; readonly why: string }[] {
  const { state } = account;
  const open = state.positions
    .map(({ uuid }) => uuid)
    .filter((uuid) => target === "all" || target.includes(uuid));
  const plan = flattenPlan(state, open, moment);
  if (!plan.ok) return [];
  const whys = new Map(
    plan.value.staying.map(({ position, why }) => [position.uuid, reason(why)] as const),
  );
  return state.positions.flatMap(({ uuid, pair }) => {
    const why = whys.get(uuid);
    return why === undefined ? [] : [{ pair, why }];
  });
}

function reason(why: Refusal): string {
  if (why.code === "marketClosed") return "its market is closed";
  if (why.code === "noFreshQuote") return "it has no fresh quote";
  if (why.code === "noConversionRate") return `there is no rate for ${why.currency}`;
  return "it cannot be traded now";
}

function attachedTo(events: readonly Event[]): readonly BracketLeg[] {
  return events.flatMap((event) => (event.type === "legsAttached" ? event.legs : []));
}

function attachedLeg({ uuid, stopLoss, takeProfit, trailing, size }: BracketLeg): AttachedLeg {
  return { orderUuid: uuid, stopLoss, takeProfit, trailing, size };
}

/** A resting entry's legs are numbered already, though they wait for its fill. */
function legToCome(parent: OrderUuid): (leg: LegRequest, index: number) => AttachedLeg {
  return ({ stopLoss, takeProfit, trailing, size }, index) => ({
    orderUuid: legUuid(parent, index),
    stopLoss,
    takeProfit,
    trailing,
    size,
  });
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
