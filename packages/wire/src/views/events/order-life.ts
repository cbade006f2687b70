import type { EventOrder, FillItem, OrderLife, PastOrder } from "@propgate/contract";
import { eventCursor } from "@propgate/contract";
import { type ChainedLine, type Event, type PendingOrder, parseEvent } from "@propgate/core";
import type { OrderLines } from "@propgate/ledger";
import { refusalCode } from "../../refusal-code.ts";
import { bindingCapText } from "../../wire.ts";
import { trailedFields } from "../pending-order.ts";
import { eventOrder } from "./event-order.ts";
import { eventView } from "./event-view.ts";

/** The progress of an order over its lines. */
interface Life {
  order: PendingOrder | null;
  status: PastOrder["status"] | null;
  endedMs: number | null;
  reason: PastOrder["reason"];
  refusal: PastOrder["refusalCode"];
  cap: string | null;
  readonly fills: FillItem[];
  readonly legs: string[];
}

/**
 * An order folded from the lines of its life; null when no line begins an order of this id. `pending` are the
 * account's orders at the lines or later, of which a trailing leg has its stop.
 * @rule D9.orderHistory
 */
export function pastOrder(
  { orderUuid, lines }: OrderLines,
  pending: readonly PendingOrder[],
): PastOrder | null {
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return null;
  const life = lifeOf(orderUuid, lines);
  const { status, fills } = life;
  const kept = life.order === null ? null : eventOrder(life.order);
  const head = headOf(life, kept);
  if (status === null || head === null) return null;
  const total = (part: (fill: FillItem["data"]) => number): number =>
    fills.reduce((sum, { data }) => sum + part(data), 0);
  const filledQuantity = total(({ quantity }) => quantity);
  return {
    orderUuid,
    sequence: first.seq,
    cursor: eventCursor(first.seq, Buffer.from(first.hash).toString("hex")),
    ...head,
    status,
    placedMs: kept?.placedMs ?? first.atMs,
    updatedMs: last.atMs,
    endedMs: life.endedMs,
    keyId: first.keyId,
    nonce: first.nonce,
    positionUuid: fills[0]?.data.positionUuid ?? kept?.positionUuid ?? null,
    order: kept,
    ...trailedFields(pending.find(({ uuid }) => uuid === orderUuid) ?? null),
    filledQuantity,
    filledValue: total(({ value }) => value),
    averagePrice:
      filledQuantity === 0
        ? null
        : total(({ price, quantity }) => price * quantity) / filledQuantity,
    fee: total(({ fee }) => fee),
    realizedPnl: total(({ realizedPnl }) => realizedPnl),
    bindingCap: life.cap,
    shortfall: fills.at(-1)?.data.shortfall ?? null,
    excess: fills.at(-1)?.data.excess ?? null,
    reduced: fills.some(({ data }) => data.effect === "reduce" || data.effect === "close"),
    reason: life.reason,
    refusalCode: life.refusal,
  };
}

/** The same with its legs and fills, without its events. @rule D9.orderLife decides */
export function orderLife(
  found: OrderLines,
  pending: readonly PendingOrder[],
): Omit<OrderLife, "events" | "next"> | null {
  const past = pastOrder(found, pending);
  if (past === null) return null;
  const { fills, legs } = lifeOf(found.orderUuid, found.lines);
  return { ...past, legs, fills };
}

/** Pair, direction and kind, from the order or, for a market order, from its fill. */
function headOf(
  { fills }: Life,
  kept: EventOrder | null,
): Pick<PastOrder, "tradePair" | "orderType" | "executionType"> | null {
  if (kept !== null) {
    const { tradePair, orderType, executionType } = kept;
    return { tradePair, orderType, executionType };
  }
  const data = fills[0]?.data;
  if (data === undefined) return null;
  return { tradePair: data.tradePair, orderType: data.direction, executionType: "MARKET" };
}

function lifeOf(orderUuid: string, lines: readonly ChainedLine[]): Life {
  const life: Life = {
    order: null,
    status: null,
    endedMs: null,
    reason: null,
    refusal: null,
    cap: null,
    fills: [],
    legs: [],
  };
  for (const line of lines) take(life, orderUuid, line);
  return life;
}

interface Step {
  readonly life: Life;
  readonly orderUuid: string;
  readonly line: ChainedLine;
}

type Steps = {
  readonly [Type in Event["type"]]?: (event: Extract<Event, { type: Type }>, step: Step) => void;
};

/** The effect of each event that names an order on its life. */
const STEPS: Steps = {
  orderPlaced({ order }, { life }) {
    life.order = order;
    life.status = "resting";
  },
  orderEdited({ order }, { life }) {
    life.order = order;
  },
  legsAttached: ({ legs }, { life, orderUuid }) => takeLegs(life, orderUuid, legs),
  sharesSplit({ orders }, { life, orderUuid }) {
    life.order = orders.find(({ uuid }) => uuid === orderUuid) ?? life.order;
  },
  stopTriggered(_, { life }) {
    life.status = "triggered";
  },
  orderFilled({ bindingCap }, step) {
    const view = eventView(step.line, false);
    if (view.type === "order.filled") step.life.fills.push(view);
    step.life.cap = bindingCapText(bindingCap);
    end(step, "filled");
  },
  orderCancelled({ reason }, step) {
    end(step, "cancelled");
    step.life.reason = reason;
  },
  orderRejected({ refusal }, step) {
    end(step, "rejected");
    step.life.refusal = refusalCode(refusal);
    step.life.cap = refusal.code === "noRoom" ? bindingCapText(refusal.cap) : null;
  },
};

function take(life: Life, orderUuid: string, line: ChainedLine): void {
  const event = parseEvent(line.event);
  const steps: Readonly<Record<string, (event: never, step: Step) => void>> = STEPS;
  // The row of the event's own type.
  steps[event.type]?.(event as never, { life, orderUuid, line });
}

function end({ life, line }: Step, status: PastOrder["status"]): void {
  life.status = status;
  life.endedMs = line.atMs;
}

function takeLegs(life: Life, orderUuid: string, legs: readonly PendingOrder[]): void {
  const own = legs.find(({ uuid }) => uuid === orderUuid);
  if (own === undefined) {
    life.legs.push(...legs.map(({ uuid }) => uuid));
    return;
  }
  life.order = own;
  life.status = "resting";
}
