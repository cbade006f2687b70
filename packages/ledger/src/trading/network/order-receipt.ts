import {
  type AccountState,
  type ArmedSwitch,
  assertNever,
  type BracketLeg,
  type CancelOrders,
  type Event,
  endingAfterDueWork,
  endingOf,
  type FillKind,
  type Flatten,
  findNamedPositions,
  flattenPlan,
  type LegRequest,
  type Moment,
  type OrderCommand,
  type OrderFilled,
  type OrderUuid,
  type PairId,
  type PendingOrder,
  placesEntry,
  type TraderCommand,
} from "@propgate/core";
import type { VersionedState } from "../executor-port.ts";
import type {
  OrderReceipt,
  OrderRecord,
  ReceiptLeg,
  SwitchReceipt,
  TraderReceipt,
  UnclosedPosition,
} from "./port.ts";

/** A command that was carried out: its events, the account after them, and the moment of the decision. */
export interface CarriedOutCommand {
  readonly command: TraderCommand;
  readonly events: readonly Event[];
  readonly account: VersionedState;
  readonly moment: Moment;
  readonly processingMs: number;
}

/** A carried-out command on orders: any command of a trader except the command of the dead man's switch. */
export type CarriedOutOrder = CarriedOutCommand & { readonly command: OrderCommand };

/** A command's receipt, and the facts in it that the command's events do not have. */
export interface TraderAnswer {
  readonly receipt: TraderReceipt;
  readonly rest: FactsBesideEvents;
}

/** The facts in a receipt that the command's events do not have. */
export type FactsBesideEvents = OrderRest | SwitchRest;

/** The facts in the receipt of a switch that the command's events do not have. */
export interface SwitchRest {
  readonly kind: "switch";
  readonly processingMs: number;
  /** The switch that the request left as it was; null when it armed one, or there is none. @rule D12.smallRenewal */
  readonly unchanged: ArmedSwitch | null;
}

/** The facts in the receipt of an order that the command's events do not have. */
export type OrderRest =
  | {
      readonly kind: "market" | "flat" | "resting" | "edited" | "bracket";
      readonly processingMs: number;
    }
  | {
      readonly kind: "cancelled";
      readonly processingMs: number;
      readonly notFound: readonly string[];
      /** After a cancel of all orders, the pairs of positions without a stop; else empty. @rule D13.nakedNamed */
      readonly withoutStop: readonly PairId[];
    }
  | {
      readonly kind: "flattened";
      readonly processingMs: number;
      readonly notFound: readonly string[];
      readonly stayed: readonly UnclosedPosition[];
    };

type CancelledRest = Extract<OrderRest, { readonly kind: "cancelled" }>;
type FlattenedRest = Extract<OrderRest, { readonly kind: "flattened" }>;

/** The receipt of a command that was carried out, and the facts from which it can be made again. */
export function traderAnswer(carriedOut: CarriedOutCommand): TraderAnswer {
  const { command, events } = carriedOut;
  if (command.type === "cancelAllAfter") {
    const rest = switchRest(carriedOut);
    return { rest, receipt: switchReceipt(rest, events) };
  }
  const rest = orderRestOf({ ...carriedOut, command });
  return { rest, receipt: orderReceipt(rest, events) };
}

/** The switch that the command armed, or the earlier one when the command left it unchanged. @rule D12.smallRenewal */
export function switchReceipt(rest: SwitchRest, events: readonly Event[]): SwitchReceipt {
  const { processingMs, unchanged } = rest;
  return { outcome: "switched", armed: armedSwitchIn(events) ?? unchanged, processingMs };
}

function switchRest({ events, account, processingMs }: CarriedOutCommand): SwitchRest {
  const { armedSwitch = null } = account.state;
  const unchanged = armedSwitchIn(events) === null ? armedSwitch : null;
  return { kind: "switch", processingMs, unchanged };
}

/**
 * The switch that the events armed; null when they armed none. Only the command itself arms a switch: due work before
 * the command may only fire one.
 */
function armedSwitchIn(events: readonly Event[]): ArmedSwitch | null {
  const armed = events.find((event) => event.type === "switchArmed");
  if (armed === undefined) return null;
  const { deadlineMs, atMs, action } = armed;
  return { atMs: deadlineMs, action, spanMs: deadlineMs - atMs };
}

/** The facts from which an order's receipt is made, together with the order's events. @rule D5.cancel */
export function orderRestOf(carriedOut: CarriedOutOrder): OrderRest {
  const { command, processingMs } = carriedOut;
  if (placesEntry(command)) return { kind: "resting", processingMs };
  switch (command.type) {
    case "placeMarket":
      return { kind: "market", processingMs };
    case "closePair":
      return { kind: "flat", processingMs };
    case "editOrder":
      return { kind: "edited", processingMs };
    case "placeBracket":
      return { kind: "bracket", processingMs };
    case "cancelOrders":
      return cancelledRest(carriedOut, command);
    case "flatten":
      return flattenedRest(carriedOut, command);
    default:
      return assertNever(command);
  }
}

/**
 * Makes the receipt of an order for its sender. `events` are all events of its command, which may begin with due work
 * and end with a judgement. The same arguments give the same receipt at any later time. @rule S2.6 D9.receipts
 */
export function orderReceipt(rest: OrderRest, events: readonly Event[]): OrderReceipt {
  const { processingMs } = rest;
  const own = events.findLastIndex(IS_OWN_EVENT[rest.kind]);
  // A LIMIT_CANCEL or FLAT_ALL without an order or position to act on has no event of its own.
  const ended = own < 0 ? endingAfterDueWork(events) : endingOf(events.slice(own + 1));
  return { ...untimedReceipt(rest, events), ended, processingMs };
}

/** True for the order's own events. Due work comes before them, and a judgement after them. */
const IS_OWN_EVENT: Readonly<Record<OrderRest["kind"], (event: Event) => boolean>> = {
  market: isFillBy("market"),
  flat: isFillBy("closePair"),
  resting: ({ type }) => type === "orderPlaced",
  edited: ({ type }) => type === "orderEdited",
  bracket: ({ type }) => type === "legsAttached",
  cancelled: (event) => event.type === "orderCancelled" && event.reason === "owner",
  flattened: isFillBy("flatten"),
};

function isFillBy(kind: FillKind): (event: Event) => boolean {
  return (event) => event.type === "orderFilled" && event.kind === kind;
}

function untimedReceipt(rest: OrderRest, events: readonly Event[]): UntimedReceipt {
  switch (rest.kind) {
    case "market":
    case "flat":
      return filledReceipt(events, rest.kind);
    case "resting":
    case "edited":
      return restingReceipt(events, rest.kind);
    case "bracket":
      return bracketReceipt(events);
    case "cancelled":
      return cancelReceipt(events, rest);
    case "flattened":
      return flattenReceipt(events, rest);
    default:
      return assertNever(rest);
  }
}

type UntimedReceipt = Omit<OrderReceipt, "processingMs" | "ended">;

/**
 * The receipt of a fill. Only the order itself fills with its own kind: fills of due work and judgements have other
 * kinds.
 */
function filledReceipt(events: readonly Event[], kind: "market" | "flat"): UntimedReceipt {
  const isFlat = kind === "flat";
  const fill = findOnly(events, "orderFilled", (one) => one.kind === (isFlat ? "closePair" : kind));
  return {
    orderUuid: fill.orderUuid,
    outcome: "filled",
    note: null,
    order: filledRecord(fill, isFlat, attachedLegs(events).map(attachedLeg)),
  };
}

function filledRecord(
  fill: OrderFilled,
  isFlat: boolean,
  legs: readonly ReceiptLeg[],
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
    shortfall: fill.shortfall ?? null,
    excess: fill.excess ?? null,
    reduceOnly: fill.reduceOnly === true,
  };
}

function restingReceipt(events: readonly Event[], outcome: "resting" | "edited"): UntimedReceipt {
  const placed =
    outcome === "edited"
      ? findOnly(events, "orderEdited", () => true)
      : findOnly(events, "orderPlaced", () => true);
  const { order } = placed;
  const legs = order.kind === "bracket" ? [attachedLeg(order)] : order.legs.map(unattachedLeg);
  return {
    orderUuid: order.uuid,
    outcome,
    note: null,
    order: restingRecord(order, legs),
  };
}

/**
 * The receipt of a bracket. Its legs are the orders that the bracket created; `bracketOrders` lists the id of each.
 * @rule D5.bracket
 */
function bracketReceipt(events: readonly Event[]): UntimedReceipt {
  const { legs } = findOnly(events, "legsAttached", () => true);
  const [first] = legs;
  if (first === undefined) throw new Error("broken invariant: a bracket with a leg");
  return {
    orderUuid: first.uuid,
    outcome: "resting",
    note: null,
    order: restingRecord(first, legs.map(attachedLeg)),
  };
}

function restingRecord(order: PendingOrder, legs: readonly ReceiptLeg[]): OrderRecord {
  return { filled: false, order, size: order.size, legs: legs.length === 0 ? null : legs };
}

function cancelledRest(
  { events, account, processingMs }: CarriedOutCommand,
  { target, pair }: CancelOrders,
): CancelledRest {
  const ids = cancelledIds(events);
  const isAll = target === "all";
  return {
    kind: "cancelled",
    processingMs,
    notFound: isAll ? [] : target.filter((id) => !ids.includes(id)),
    withoutStop: isAll ? pairsWithoutStop(account.state, pair) : [],
  };
}

/** The pairs, of `filter` or of all, whose open position has no fixed or trailing stop. @rule D13.nakedNamed decides */
function pairsWithoutStop({ positions, orders }: AccountState, filter: PairId | null) {
  const named = positions.map(({ pair }) => pair).filter((pair) => [null, pair].includes(filter));
  return named.filter((pair) => !orders.some((order) => order.pair === pair && isStop(order)));
}

function isStop(order: PendingOrder): boolean {
  return order.kind === "bracket" && (order.stopLoss !== null || order.trailing !== null);
}

function cancelledIds(events: readonly Event[]): readonly OrderUuid[] {
  return events.flatMap((event) =>
    event.type === "orderCancelled" && event.reason === "owner" ? [event.orderUuid] : [],
  );
}

function cancelReceipt(
  events: readonly Event[],
  { notFound, withoutStop }: CancelledRest,
): UntimedReceipt {
  const ids = cancelledIds(events);
  return {
    orderUuid: ids.join(","),
    outcome: "cancelled",
    note: { kind: "cancelled", count: ids.length, notFound, withoutStop },
    order: null,
  };
}

/** The facts of a flatten. A named position that is still open could not be closed at the moment of the decision. */
function flattenedRest(
  { events, account, moment, processingMs }: CarriedOutCommand,
  command: Flatten,
): FlattenedRest {
  const left = findNamedPositions(account.state, command);
  const { staying } = flattenPlan(left.ok ? left.value : [], moment);
  const seen: readonly string[] = [
    ...flattenFills(events).map(({ positionUuid }) => positionUuid),
    ...staying.map(({ position }) => position.uuid),
  ];
  return {
    kind: "flattened",
    processingMs,
    notFound: command.target === "all" ? [] : command.target.filter((id) => !seen.includes(id)),
    stayed: staying.map(({ position, why }) => ({ pair: position.pair, why })),
  };
}

function flattenFills(events: readonly Event[]): readonly OrderFilled[] {
  return events.flatMap((event) =>
    event.type === "orderFilled" && event.kind === "flatten" ? [event] : [],
  );
}

function flattenReceipt(
  events: readonly Event[],
  { stayed, notFound }: FlattenedRest,
): UntimedReceipt {
  const fills = flattenFills(events);
  return {
    orderUuid: fills.map((fill) => fill.positionUuid).join(","),
    outcome: stayed.length === 0 ? "flattened" : "partlyFlattened",
    note: {
      kind: "flattened",
      closed: fills.map((fill) => fill.pair),
      stayed,
      notFound,
    },
    order: null,
  };
}

function attachedLegs(events: readonly Event[]): readonly BracketLeg[] {
  return events.flatMap((event) => (event.type === "legsAttached" ? event.legs : []));
}

function attachedLeg({ uuid, stopLoss, takeProfit, trailing, size }: BracketLeg): ReceiptLeg {
  return { orderUuid: uuid, stopLoss, takeProfit, trailing, size };
}

/** A leg of a pending entry. It has no id before the fill of the entry attaches it. @rule D10.legIds */
function unattachedLeg(leg: LegRequest): ReceiptLeg {
  return { ...leg, orderUuid: null };
}

function findOnly<Type extends Event["type"]>(
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
