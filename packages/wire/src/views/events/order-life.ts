import type {
  AccountEvent,
  EventOf,
  EventOrder,
  EventType,
  FillItem,
  Linked,
  OrderLife,
  PastOrder,
} from "@propgate/contract";
import { eventCursor } from "@propgate/contract";
import type { ChainedLine, PendingOrder } from "@propgate/core";
import type { OrderLines } from "@propgate/ledger";
import { currentStopFields } from "../pending-order.ts";
import { eventView } from "./event-view.ts";

/** The progress of an order over its lines. */
interface OrderProgress {
  order: EventOrder | null;
  /** The order as it was placed: a STOP_LIMIT stays one here after its stop was reached. */
  placed: EventOrder | null;
  status: PastOrder["status"] | null;
  endedMs: number | null;
  reason: PastOrder["reason"];
  refusal: PastOrder["refusalCode"];
  cap: string | null;
  readonly fills: FillItem<Linked>[];
  readonly legs: string[];
}

/**
 * An order, folded from the lines of its life; null when no line begins an order with this id. `pending` are the
 * account's pending orders at the time of the lines or later; a trailing leg gets its present stop from there.
 * @rule D9.orderHistory
 */
export function pastOrder(
  { orderUuid, lines }: OrderLines,
  pending: readonly PendingOrder[],
): PastOrder<Linked> | null {
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return null;
  const life = lifeOf(orderUuid, lines);
  const { status, fills, order: kept } = life;
  const head = headOf(life);
  if (status === null || head === null) return null;
  const filledQuantity = sumOverFills(fills, ({ quantity }) => quantity);
  const filledUnits = sumOverFills(fills, ({ price, quantity }) =>
    price === null || quantity === null ? null : price * quantity,
  );
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
    ...currentStopFields(pending.find(({ uuid }) => uuid === orderUuid) ?? null),
    filledQuantity,
    filledValue: sumOverFills(fills, ({ value }) => value),
    averagePrice:
      filledQuantity === null || filledUnits === null || filledQuantity === 0
        ? null
        : filledUnits / filledQuantity,
    fee: sumOverFills(fills, ({ fee }) => fee),
    realizedPnl: sumOverFills(fills, ({ realizedPnl }) => realizedPnl),
    bindingCap: life.cap,
    shortfall: fills.at(-1)?.data.shortfall ?? null,
    excess: fills.at(-1)?.data.excess ?? null,
    reduced: hasReduced(fills),
    reason: life.reason,
    refusalCode: life.refusal,
  };
}

/**
 * The order of `pastOrder` with its fills and the ids of its legs, from the lines of its life. Null when no line begins
 * an order with this id. The caller adds a page of its events. @rule D9.orderLife decides
 */
export function orderLife(
  found: OrderLines,
  pending: readonly PendingOrder[],
): Omit<OrderLife<Linked>, "events" | "next"> | null {
  const past = pastOrder(found, pending);
  if (past === null) return null;
  const { fills, legs } = lifeOf(found.orderUuid, found.lines);
  return { ...past, legs, fills };
}

/** The sum of a figure over all fills; null when one fill's figure is not known. */
function sumOverFills(
  fills: readonly FillItem<Linked>[],
  part: (fill: FillItem<Linked>["data"]) => number | null,
): number | null {
  return fills.reduce<number | null>((sum, { data }) => {
    const one = part(data);
    return sum === null || one === null ? null : sum + one;
  }, 0);
}

/**
 * Whether a fill reduced or closed a position; null when no fill is known to have done so and one fill's effect is
 * unknown.
 */
function hasReduced(fills: readonly FillItem<Linked>[]): boolean | null {
  const effects = fills.map(({ data }) => data.effect);
  if (effects.some((effect) => effect === "reduce" || effect === "close")) return true;
  return effects.includes(null) ? null : false;
}

/**
 * The pair, direction and kind of the order, or of the first fill of an order that was never pending; null without
 * either.
 */
function headOf({
  fills,
  placed,
}: OrderProgress): Pick<PastOrder<Linked>, "tradePair" | "orderType" | "executionType"> | null {
  if (placed !== null) {
    const { tradePair, orderType, executionType } = placed;
    return { tradePair, orderType, executionType };
  }
  const data = fills[0]?.data;
  if (data === undefined) return null;
  return {
    tradePair: data.tradePair,
    orderType: data.direction,
    executionType: data.kind === null ? null : executionOf(data.kind),
  };
}

function executionOf(kind: FillItem["data"]["kind"]): PastOrder["executionType"] {
  if (kind === "limit") return "LIMIT";
  return kind === "stopLoss" || kind === "takeProfit" ? "BRACKET" : "MARKET";
}

function lifeOf(orderUuid: string, lines: readonly ChainedLine[]): OrderProgress {
  const life: OrderProgress = {
    order: null,
    placed: null,
    status: null,
    endedMs: null,
    reason: null,
    refusal: null,
    cap: null,
    fills: [],
    legs: [],
  };
  for (const line of lines) {
    applyLine(life, orderUuid, line);
    life.placed ??= life.order;
  }
  return life;
}

/** A STOP_LIMIT whose stop was reached is a LIMIT, as in GET orders. */
const TRIGGERED = { executionType: "LIMIT", stopPrice: null, stopCondition: null } as const;

interface Step {
  readonly life: OrderProgress;
  readonly orderUuid: string;
}

type Steps = {
  readonly [Type in EventType]?: (event: EventOf<Type, Linked>, step: Step) => void;
};

/** How each event that names an order changes the order's life. */
const STEPS: Steps = {
  "order.resting"({ data }, { life }) {
    life.order = data.order;
    life.status = "resting";
    life.endedMs = null;
    life.reason = null;
  },
  "order.edited"({ data }, { life }) {
    life.order = data.order;
  },
  "legs.attached": ({ data }, { life, orderUuid }) => addLegs(life, orderUuid, data.legs),
  "shares.split"({ data }, { life, orderUuid }) {
    life.order = data.orders.find((order) => order.orderUuid === orderUuid) ?? life.order;
  },
  "order.triggered"(_, { life }) {
    life.status = "triggered";
    if (life.order !== null) life.order = { ...life.order, ...TRIGGERED };
  },
  "order.filled"(fill, { life }) {
    life.fills.push(fill);
    life.cap = fill.data.bindingCap;
    endOrder(life, fill, "filled");
  },
  "order.cancelled"(event, { life }) {
    endOrder(life, event, "cancelled");
    life.reason = event.data.reason;
  },
  "order.rejected"(event, { life }) {
    endOrder(life, event, "rejected");
    life.refusal = event.data.refusalCode;
    life.cap = event.data.bindingCap;
  },
};

function applyLine(life: OrderProgress, orderUuid: string, line: ChainedLine): void {
  const event = eventView(line, false);
  const steps: Readonly<Record<string, (event: never, step: Step) => void>> = STEPS;
  // The row is that of the event's own type, so the event fits.
  steps[event.type]?.(event as never, { life, orderUuid });
}

function endOrder(
  life: OrderProgress,
  { atMs }: AccountEvent<Linked>,
  status: PastOrder["status"],
): void {
  life.status = status;
  life.endedMs = atMs;
}

function addLegs(life: OrderProgress, orderUuid: string, legs: readonly EventOrder[]): void {
  const own = legs.find((leg) => leg.orderUuid === orderUuid);
  if (own === undefined) {
    life.legs.push(...legs.map((leg) => leg.orderUuid));
    return;
  }
  life.order = own;
  life.status = "resting";
  life.endedMs = null;
  life.reason = null;
}
