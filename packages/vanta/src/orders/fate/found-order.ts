import { type OrderUuid, orderUuid, type PairFinder } from "@propgate/core";
import type {
  LinkedOrder,
  LinkedPosition,
  LinkedReadings,
} from "../../dashboard/linked-readings.ts";
import type { NetworkOrder } from "../answer/network-order.ts";
import type { OpenItemsBefore } from "../stored-order.ts";

/** An account as the network has it at present, or had it before an order. */
export interface ObservedAccount {
  readonly readings: LinkedReadings;
  /** The newest closed positions, newest first. */
  readonly closed: readonly LinkedPosition[];
  /** The times at which pending orders have ended recently, by their ids and the network's clock. */
  readonly endedOrders: ReadonlyMap<string, number>;
  readonly pairOf: PairFinder;
}

/** The order of that id among fills and pending orders; null when the account has none. */
export function findOrder(sight: ObservedAccount, wanted: string): NetworkOrder | null {
  const { readings, closed } = sight;
  for (const position of [...Object.values(readings.positions), ...closed]) {
    const fill = position.fills?.find(({ uuid }) => uuid === wanted);
    if (fill !== undefined) return filledOrder(fill, position);
  }
  const pending = pendingOrders(readings).find(({ uuid }) => uuid === wanted);
  return pending === undefined ? null : asNetworkOrder(pending, false);
}

/** Whether the reading would have the order, if the network had it: it lists the fills of every position. */
export function listsEveryOrder({ readings, closed }: ObservedAccount): boolean {
  return [...Object.values(readings.positions), ...closed].every(({ fills }) => fills !== null);
}

/** The pending entries and legs, each once. */
export function pendingOrders(readings: LinkedReadings): readonly LinkedOrder[] {
  const orders = new Map<string, LinkedOrder>();
  for (const { legs, pairDisplay } of Object.values(readings.positions)) {
    for (const leg of legs) orders.set(leg.uuid, { ...leg, pairDisplay });
  }
  for (const order of Object.values(readings.orders)) orders.set(order.uuid, order);
  return [...orders.values()];
}

/** The ids of all fills of the open and the closed positions. */
export function fillIds({ readings, closed }: ObservedAccount): ReadonlySet<string> {
  const positions = [...Object.values(readings.positions), ...closed];
  return new Set(positions.flatMap(({ fills }) => (fills ?? []).map(({ uuid }) => uuid)));
}

/** The open orders and positions, as a command that acts on them needs them. */
export function openItemsOf({
  readings,
  pairOf,
}: Pick<ObservedAccount, "readings" | "pairOf">): OpenItemsBefore {
  return {
    orders: pendingOrders(readings).map((order) => ({
      uuid: orderUuid(order.uuid),
      pair: order.pairDisplay === null ? null : pairOf(order.pairDisplay),
      legs: futureLegs(order),
    })),
    positions: Object.values(readings.positions).map(({ uuid, pairDisplay }) => ({
      uuid,
      pair: pairOf(pairDisplay),
      display: pairDisplay,
    })),
    positionsMs: readings.newest.positionsMs,
  };
}

/**
 * The ids of the legs that an entry will attach. When the validator sends no list of legs, the entry's own stop and
 * target become one leg.
 */
function futureLegs(order: LinkedOrder): readonly OrderUuid[] {
  if (order.executionType === "BRACKET") return [];
  if (order.legs.length > 0) return order.legs.map(({ uuid }) => orderUuid(uuid));
  const { stopLoss, takeProfit, trailingPercent, trailingValue } = order;
  const levels = [stopLoss, takeProfit, trailingPercent, trailingValue];
  const hasLeg = levels.some((level) => level !== null);
  return hasLeg ? [orderUuid(`${order.uuid}-bracket-0`)] : [];
}

function filledOrder(fill: LinkedOrder, position: LinkedPosition): NetworkOrder {
  const prefix = `${fill.uuid}-bracket-`;
  const legs = position.legs.filter(({ uuid }) => uuid.startsWith(prefix));
  const order = asNetworkOrder(fill, true);
  return {
    ...order,
    pairDisplay: position.pairDisplay,
    legs: legs.length === 0 ? null : legs,
  };
}

/** An order of the dashboard, which sends neither slippage, result nor cap of an order. */
function asNetworkOrder(linked: LinkedOrder, filled: boolean): NetworkOrder {
  const { sourceOrSlippage: _, ...order } = linked;
  return {
    ...order,
    filled,
    slippage: null,
    realizedPnl: null,
    bindingCap: null,
    legs: order.legs.length === 0 ? null : order.legs,
  };
}
