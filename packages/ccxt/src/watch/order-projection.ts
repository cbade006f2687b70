import {
  type EventOf,
  type EventOrder,
  type EventType,
  type FillItem,
  LIMITS,
  type Linked,
  type PastOrder,
  shownNumber,
} from "@propgate/contract";
import type { AccountEvent } from "@propgate/sdk";
import type { Order } from "ccxt";
import { API_CALLS, callApi } from "../calls.ts";
import type { ExchangeContext } from "../ccxt-module.ts";
import { type OrderFacts, orderOf } from "../orders/past-orders.ts";
import { putNewest } from "../put-newest.ts";

/** The orders of an account, computed from its events. */
export interface OrderProjection {
  /** Reads the newest orders and keeps the pending ones, so that their later events need no read. */
  begin(): Promise<void>;
  /** The orders that an event changed, in their state after it. An order that is not known is read. */
  applyEvent(event: AccountEvent<Linked>): Promise<readonly Order[]>;
}

/** The facts of an order that follow from its fills. */
type Totals = Pick<OrderFacts, "filledQuantity" | "averagePrice" | "fee" | "shortfall" | "reduced">;

interface KnownOrder {
  readonly facts: Omit<OrderFacts, keyof Totals>;
  readonly fills: readonly FillItem<Linked>[];
}

/**
 * The maximum number of orders that are kept. Orders that have ended are among them, because an order may have several
 * fills.
 */
const KEPT_MAX = 5_000;

/** Creates the projection. `begin` reads the newest orders, and `applyEvent` keeps them current. */
export function createOrderProjection(desk: ExchangeContext): OrderProjection {
  const known = new Map<string, KnownOrder>();
  const keep = (order: KnownOrder): KnownOrder => {
    putNewest(known, [order.facts.orderUuid, order], KEPT_MAX);
    return order;
  };
  const after = async ({
    orderUuid,
    begins,
    after: change,
  }: Change): Promise<KnownOrder | null> => {
    const before = known.get(orderUuid) ?? null;
    if (before !== null || begins) return change(before);
    const life = await callApi(desk, API_CALLS.order, { params: { orderUuid } });
    const read = { facts: life, fills: life.fills };
    return change(read) ?? read;
  };

  return {
    async begin() {
      known.clear();
      const params = { limit: LIMITS.eventsLimitMax };
      const { items } = await callApi(desk, API_CALLS.orderHistory, { params });
      // An order that has ended may have fills, which this list does not contain, so it is not kept.
      for (const item of items) if (item.endedMs === null) keep({ facts: item, fills: [] });
    },
    async applyEvent(event) {
      const changed: Order[] = [];
      for (const change of changesOf(event)) {
        const later = await after(change);
        if (later === null) continue;
        keep(later);
        changed.push(orderOf(desk, { ...later.facts, ...totalsOf(later.fills) }, event));
      }
      return changed;
    },
  };
}

/** The effect of an event on one order. */
interface Change {
  readonly orderUuid: string;
  /** True when the event has all facts of the order, so that no read is needed. */
  readonly begins: boolean;
  /** The order after the event; null when the event does not change it. */
  readonly after: (before: KnownOrder | null) => KnownOrder | null;
}

type Changes = {
  readonly [Type in EventType]?: (event: EventOf<Type, Linked>) => readonly Change[];
};

const CHANGES: Changes = {
  "order.resting": (event) => [placed(event.data.order, event)],
  "order.edited": (event) => [editedOrder(event.data.order, event)],
  "order.triggered": (event) => [changedOrder(event, { status: "triggered" })],
  "order.filled": (event) => [filled(event)],
  "order.cancelled": (event) => [endedOrder(event, "cancelled")],
  "order.rejected": (event) => [endedOrder(event, "rejected")],
  "legs.attached": (event) => event.data.legs.map((leg) => placed(leg, event)),
  "shares.split": (event) => event.data.orders.map((order) => editedOrder(order, event)),
};

/** The changes of an event; none for a type that changes no order, or that is unknown here. */
function changesOf(event: AccountEvent<Linked>): readonly Change[] {
  const changes: Readonly<Record<string, ((event: never) => readonly Change[]) | undefined>> =
    CHANGES;
  // The function is the one for this event's type, which TypeScript cannot infer.
  return changes[event.type]?.(event as never) ?? [];
}

type Cause = Pick<AccountEvent, "atMs" | "cause">;

function placed(order: EventOrder, { atMs, cause }: Cause): Change {
  const { orderUuid, tradePair, orderType, executionType, placedMs } = order;
  const facts = {
    orderUuid,
    tradePair,
    orderType,
    executionType,
    placedMs,
    order,
    status: "resting" as const,
    nonce: cause.nonce,
    updatedMs: atMs,
    endedMs: null,
  };
  return { orderUuid, begins: true, after: () => ({ facts, fills: [] }) };
}

function editedOrder(order: EventOrder, { atMs }: Cause): Change {
  return changedOrder({ atMs, data: order }, { order });
}

function changedOrder(
  { atMs, data }: { readonly atMs: number; readonly data: { readonly orderUuid: string } },
  facts: Partial<KnownOrder["facts"]>,
): Change {
  return {
    orderUuid: data.orderUuid,
    begins: false,
    // An order that was read may be newer than the event, and an order that has ended never changes.
    after: (before) =>
      before === null || before.facts.endedMs !== null
        ? null
        : { ...before, facts: { ...before.facts, ...facts, updatedMs: atMs } },
  };
}

function endedOrder(
  event: EventOf<"order.cancelled", Linked> | EventOf<"order.rejected", Linked>,
  status: PastOrder["status"],
): Change {
  return changedOrder(event, { status, endedMs: event.atMs });
}

/** The kinds of fills of orders that were pending. A validator may not send the kind of a leg's fill, which is null. */
const PENDING_FILL_KINDS: readonly FillItem<Linked>["data"]["kind"][] = [
  "limit",
  "stopLoss",
  "takeProfit",
  null,
];

function filled(event: EventOf<"order.filled", Linked>): Change {
  const { data, atMs, cause } = event;
  const { orderUuid, tradePair, direction } = data;
  const market: KnownOrder["facts"] = {
    orderUuid,
    tradePair,
    orderType: direction,
    executionType: "MARKET",
    order: null,
    status: "filled",
    placedMs: atMs,
    updatedMs: atMs,
    endedMs: atMs,
    nonce: cause.nonce,
  };
  return {
    orderUuid,
    begins: !PENDING_FILL_KINDS.includes(data.kind),
    after(before) {
      const { facts, fills } = before ?? { facts: market, fills: [] };
      if (fills.some(({ sequence }) => sequence === event.sequence)) return null;
      const end = { status: "filled" as const, updatedMs: atMs, endedMs: atMs };
      return { facts: { ...facts, ...end }, fills: [...fills, event] };
    },
  };
}

/** The totals of an order's fills, computed and rounded as in an answer of the service. */
function totalsOf(fills: readonly FillItem<Linked>[]): Totals {
  // A total is null when a validator did not send a part of it.
  const total = (part: (fill: FillItem<Linked>["data"]) => number | null): number | null =>
    fills.reduce<number | null>((sum, { data }) => {
      const one = part(data);
      return sum === null || one === null ? null : sum + one;
    }, 0);
  const shown = (value: number | null): number | null =>
    value === null ? null : shownNumber(value);
  const filledQuantity = total(({ quantity }) => quantity);
  const cost = total(({ price, quantity }) =>
    price === null || quantity === null ? null : price * quantity,
  );
  return {
    filledQuantity: shown(filledQuantity),
    averagePrice:
      filledQuantity === null || cost === null || filledQuantity === 0
        ? null
        : shownNumber(cost / filledQuantity),
    fee: shown(total(({ fee }) => fee)),
    shortfall: fills.at(-1)?.data.shortfall ?? null,
    reduced: fills.some(({ data: { effect } }) => effect === "reduce" || effect === "close"),
  };
}
