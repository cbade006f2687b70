/** Applies one line of the journal to the small model, and lists the line's problems. */
import type {
  DividendPaid,
  Event,
  OrderCancelled,
  OrderFilled,
  PendingOrder,
  SharesSplit,
} from "@propgate/core";
import {
  type ModelAccount,
  positionAfterFill,
  positionsAfterSplit,
  signOf,
  withKey,
  withoutKey,
} from "./account-model.ts";
import type { JournalLine } from "./journal-reader.ts";
import { switchEventProblems, switchFieldsAfter } from "./switch-rules.ts";

/** The account after a line, and the line's problems. */
export interface AppliedLine {
  readonly account: ModelAccount;
  readonly problems: readonly string[];
}

/** The events that may follow the end of an account. */
const AFTER_THE_END: ReadonlySet<Event["type"]> = new Set(["payoutRecorded", "accountClosed"]);

export function applyLine(before: ModelAccount, line: JournalLine): AppliedLine {
  const { event, seq } = line;
  const problems = [...rulesOf(before, event), ...switchEventProblems(before, event)];
  const account = {
    ...before,
    ...changeOf(before, event),
    ...switchFieldsAfter(before, event),
    seq,
  };
  return { account, problems: problems.map((problem) => `line ${seq}, ${event.type}: ${problem}`) };
}

function rulesOf(before: ModelAccount, event: Event): readonly string[] {
  const hasEnded = before.status === "eliminated" || before.status === "closed";
  if (hasEnded && !AFTER_THE_END.has(event.type)) return [`after the account was ${before.status}`];
  switch (event.type) {
    case "orderPlaced":
      return before.orders.has(event.order.uuid) ? ["an order that is pending already"] : [];
    case "orderEdited":
      return pendingProblems(before, event.order.uuid);
    case "orderCancelled":
    case "orderRejected":
    case "orderHeld":
    case "stopTriggered":
    case "trailMoved":
      return pendingProblems(before, event.orderUuid);
    case "legsAttached":
      return event.legs.flatMap((leg) => {
        const held = before.held.get(leg.positionUuid);
        const fits = held?.pair === leg.pair && Math.sign(held.net) === signOf(leg.direction);
        return fits ? [] : [`leg ${leg.uuid} without its position`];
      });
    case "orderFilled":
      return nettingProblems(before, event);
    case "positionClosed":
      return before.held.get(event.trade.id)?.net === 0 ? [] : ["a position that is not empty"];
    case "accountEliminated":
    case "accountClosed":
      return before.held.size + before.orders.size === 0
        ? []
        : ["with open positions or pending orders"];
    case "dividendPaid":
      return dividendProblems(before, event);
    case "sharesSplit":
      return splitProblems(before, event);
    case "accountOpened":
    case "accountProvisioned":
    case "dayEnded":
    case "carryCharged":
    case "challengePassed":
    case "proOffered":
    case "proStarted":
    case "proPromoted":
    case "drawdownDeepened":
    case "softBreached":
    case "limitNeared":
    case "cycleClosed":
    case "deferralForfeited":
    case "payoutRecorded":
    case "switchArmed":
    case "switchSuspended":
    case "switchEnded":
    case "switchFired":
      return [];
  }
}

/** The problems of a dividend: a long receives the amount for every share that it holds, and a short pays it. */
function dividendProblems(
  { held }: ModelAccount,
  { positionUuid, amount, usdRate, paid }: DividendPaid,
): readonly string[] {
  const net = held.get(positionUuid)?.net ?? 0;
  const expected = (net / 100_000) * amount * usdRate * 1_000_000;
  return Math.abs(paid - expected) <= 1 ? [] : [`${paid} paid instead of ${expected}`];
}

/**
 * The problems of a split: the new quantity must be exactly the old one times the ratio, and the orders that the split
 * changes must have been pending.
 */
function splitProblems(
  before: ModelAccount,
  { position, orders, newShares, oldShares }: SharesSplit,
): readonly string[] {
  const net = Math.abs(before.held.get(position?.uuid ?? "")?.net ?? 0);
  const open = position?.quantity ?? 0;
  return [
    ...(open * oldShares === net * newShares ? [] : [`${open} shares from ${net}`]),
    ...orders.flatMap(({ uuid }) => pendingProblems(before, uuid)),
  ];
}

function pendingProblems({ orders }: ModelAccount, uuid: string): readonly string[] {
  return orders.has(uuid) ? [] : [`${uuid} is not pending`];
}

/**
 * The problems of a fill: a pair has at most one position, which never flips, a pending order fills once, and the fill
 * must name its effect on the position rightly.
 */
function nettingProblems(before: ModelAccount, fill: OrderFilled): readonly string[] {
  const problems = fillsPendingOrder(fill) ? [...pendingProblems(before, fill.orderUuid)] : [];
  const held = before.held.get(fill.positionUuid);
  const change = signOf(fill.direction) * fill.quantity;
  const net = (held?.net ?? 0) + change;
  const isWithin = held === undefined || Math.sign(net) !== -Math.sign(held.net);
  if (!isWithin) problems.push(`${change} flips a position of ${String(held?.net)}`);
  if (effectOf(held?.net ?? null, change) !== fill.effect) {
    problems.push(`${change} on ${String(held?.net)} is called ${fill.effect}`);
  }
  const others = [...before.held.values()].filter(({ uuid }) => uuid !== fill.positionUuid);
  if (others.some(({ pair }) => pair === fill.pair)) problems.push("a second position on its pair");
  return problems;
}

function fillsPendingOrder({ kind }: OrderFilled): boolean {
  return kind === "limit" || kind === "stopLoss" || kind === "takeProfit";
}

function effectOf(net: number | null, change: number): OrderFilled["effect"] {
  if (net === null) return "open";
  if (Math.sign(net) === Math.sign(change)) return "add";
  return net + change === 0 ? "close" : "reduce";
}

function changeOf(before: ModelAccount, event: Event): Partial<ModelAccount> {
  const { orders, held, payouts } = before;
  switch (event.type) {
    case "accountOpened": {
      const { size } = event.terms;
      return { status: event.provisioned ? "active" : "provisioning", size, cash: size };
    }
    case "accountProvisioned":
      return { status: "active" };
    case "accountClosed":
      return { status: "closed" };
    case "accountEliminated":
      return { status: "eliminated" };
    case "orderPlaced":
    case "orderEdited":
      return { orders: withKey(orders, event.order.uuid, event.order) };
    case "orderCancelled":
    case "orderRejected":
      return { orders: withoutKey(orders, event.orderUuid) };
    case "orderHeld":
      return {};
    case "stopTriggered":
      return { orders: asLimit(orders, event.orderUuid) };
    case "legsAttached":
      return { orders: event.legs.reduce((all, leg) => withKey(all, leg.uuid, leg), orders) };
    case "orderFilled":
      return {
        cash: before.cash + event.realizedPnl - event.fee,
        orders: withoutKey(orders, event.orderUuid),
        held: withKey(
          held,
          event.positionUuid,
          positionAfterFill(held.get(event.positionUuid), event),
        ),
      };
    case "positionClosed": {
      const { trade } = event;
      const { closed, wins } = before;
      return {
        held: withoutKey(held, trade.id),
        closed: { trade, count: (closed?.count ?? 0) + 1, older: closed },
        wins: wins + (trade.realizedPnl - trade.fees > 0 ? 1 : 0),
      };
    }
    case "carryCharged":
      return { cash: event.charges.reduce((left, { fee }) => left - fee, before.cash) };
    case "dividendPaid":
      return { cash: before.cash + event.paid };
    case "sharesSplit":
      return {
        orders: event.orders.reduce((all, order) => withKey(all, order.uuid, order), orders),
        held: event.position === null ? held : positionsAfterSplit(held, event.position),
      };
    case "challengePassed":
      return { cash: before.size };
    case "proStarted":
      return { size: event.terms.size, cash: event.terms.size };
    case "cycleClosed":
    case "payoutRecorded": {
      const { payout } = event;
      return payout === null ? {} : { payouts: withKey(payouts, payout.id, payout) };
    }
    case "trailMoved":
    case "dayEnded":
    case "proOffered":
    case "proPromoted":
    case "drawdownDeepened":
    case "softBreached":
    case "limitNeared":
    case "deferralForfeited":
    case "switchArmed":
    case "switchSuspended":
    case "switchEnded":
    case "switchFired":
      return {};
  }
}

/** The pending orders after the trigger of the stop-limit order `uuid`, which has become a limit order. */
function asLimit(orders: ModelAccount["orders"], uuid: string): ReadonlyMap<string, PendingOrder> {
  const order = orders.get(uuid);
  if (order?.kind !== "stopLimit") return orders;
  const { stopPrice: _price, stopCondition: _condition, ...rest } = order;
  return withKey(orders, uuid, { ...rest, kind: "limit" });
}

/** True when the owner cancelled the order, false when the cancellation follows from another event. */
export function isOwnersCancellation(event: Event): event is OrderCancelled {
  return event.type === "orderCancelled" && event.reason === "owner";
}
