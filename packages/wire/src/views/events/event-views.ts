import type { EventData, EventPayout, EventType } from "@propgate/contract";
import { dollars, type Event, lots, type Payout } from "@propgate/core";
import { refusalCode } from "../../refusal-code.ts";
import {
  ASSET_CLASS_WORDS,
  bindingCapText,
  bucketWord,
  DIRECTION_WORDS,
  eliminationReason,
  LOSS_LIMIT_WORDS,
  PAYOUT_STATUS_WORDS,
  TRADE_STATUS_WORDS,
} from "../../wire.ts";
import { fillDifferenceView } from "../fill-difference.ts";
import { usdOrNull } from "../usd-or-null.ts";
import { eventOrderView } from "./event-order-view.ts";

/** The API's word for each type of event that the core records. @rule D9.eventViews */
export const EVENT_TYPE_WORDS = {
  orderPlaced: "order.resting",
  orderEdited: "order.edited",
  orderHeld: "order.held",
  stopTriggered: "order.triggered",
  orderFilled: "order.filled",
  orderCancelled: "order.cancelled",
  orderRejected: "order.rejected",
  legsAttached: "legs.attached",
  trailMoved: "leg.trailed",
  positionClosed: "position.closed",
  dayEnded: "day.ended",
  carryCharged: "carry.charged",
  sharesSplit: "shares.split",
  dividendPaid: "dividend.paid",
  accountOpened: "account.opened",
  accountProvisioned: "account.provisioned",
  accountEliminated: "account.eliminated",
  accountClosed: "account.closed",
  challengePassed: "challenge.passed",
  proOffered: "pro.offered",
  proStarted: "pro.started",
  proPromoted: "pro.promoted",
  softBreached: "pro.soft_breached",
  drawdownDeepened: "drawdown.deepened",
  limitNeared: "limit.neared",
  cycleClosed: "payout.cycle_closed",
  payoutRecorded: "payout.updated",
  deferralForfeited: "payout.forfeited",
  switchArmed: "switch.armed",
  switchSuspended: "switch.suspended",
  switchEnded: "switch.ended",
  switchFired: "switch.fired",
} as const satisfies Readonly<Record<Event["type"], EventType>>;

/** The API's word for the type of a core event. */
export function eventTypeWord(type: Event["type"]): EventType {
  return EVENT_TYPE_WORDS[type];
}

/** The names that the core gives to the events of these types. */
export function coreEventTypesOf(types: ReadonlySet<EventType>): ReadonlySet<string> {
  const chosen = Object.entries(EVENT_TYPE_WORDS).filter(([, type]) => types.has(type));
  return new Set(chosen.map(([core]) => core));
}

/** The parts of an event that depend on its type. */
interface ViewOf<Type extends EventType> {
  readonly type: Type;
  readonly data: EventData<Type>;
  /** The time at which the work that caused the event was due; null for an event without such a time. */
  readonly dueMs: number | null;
}

type EventView = { readonly [Type in EventType]: ViewOf<Type> }[EventType];

type EventViews = {
  readonly [Core in Event["type"]]: (
    event: Extract<Event, { type: Core }>,
  ) => ViewOf<(typeof EVENT_TYPE_WORDS)[Core]>;
};

function view<Type extends EventType>(
  type: Type,
  data: EventData<Type>,
  dueMs: number | null = null,
): ViewOf<Type> {
  return { type, data, dueMs };
}

/** A view for each event of the core; an event without a row does not compile. @rule D9.eventViews */
const VIEWS: EventViews = {
  orderPlaced: ({ order }) => view("order.resting", { order: eventOrderView(order) }),
  orderEdited: ({ order }) => view("order.edited", { order: eventOrderView(order) }),
  orderHeld: ({ orderUuid, quote: { bid, ask, atMs } }) =>
    view("order.held", { orderUuid, bid, ask, quoteAtMs: atMs }),
  stopTriggered: ({ orderUuid }) => view("order.triggered", { orderUuid }),
  orderFilled: (fill) =>
    view("order.filled", {
      orderUuid: fill.orderUuid,
      positionUuid: fill.positionUuid,
      kind: fill.kind,
      tradePair: fill.pair,
      direction: DIRECTION_WORDS[fill.direction],
      effect: fill.effect,
      price: fill.price,
      slippage: fill.slippage,
      quantity: lots(fill.quantity),
      value: dollars(fill.value),
      leverage: fill.leverage,
      fee: dollars(fill.fee),
      realizedPnl: dollars(fill.realizedPnl),
      bindingCap: bindingCapText(fill.bindingCap),
      ...fillDifferenceView(fill),
      usdRate: fill.usdRate,
      rateAgeMs: fill.rateAgeMs ?? null,
      tookRestAlong: fill.tookRestAlong ?? false,
      legsDropped: fill.legsDropped ?? false,
    }),
  orderCancelled: ({ orderUuid, reason }) =>
    view("order.cancelled", { orderUuid, reason, refusalCode: null }),
  orderRejected: ({ orderUuid, refusal }) =>
    view("order.rejected", {
      orderUuid,
      refusalCode: refusalCode(refusal),
      bindingCap: refusal.code === "noRoom" ? bindingCapText(refusal.cap) : null,
    }),
  legsAttached: ({ legs }) => view("legs.attached", { legs: legs.map(eventOrderView) }),
  trailMoved: ({ orderUuid, bestPrice }) => view("leg.trailed", { orderUuid, bestPrice }),
  positionClosed: ({ trade }) =>
    view("position.closed", {
      positionUuid: trade.id,
      tradePair: trade.pair,
      direction: DIRECTION_WORDS[trade.direction],
      quantity: lots(trade.quantity),
      averageEntryPrice: trade.averageEntryPrice,
      averageExitPrice: trade.averageExitPrice,
      entryValue: dollars(trade.cumulativeEntryValue),
      leverage: trade.leverage,
      realizedPnl: dollars(trade.realizedPnl),
      fees: dollars(trade.fees),
      returnAtClose: trade.returnAtClose,
      openTimeMs: trade.openedAtMs,
      closeTimeMs: trade.closedAtMs,
      stopLoss: trade.stopLoss,
      takeProfit: trade.takeProfit,
      status: TRADE_STATUS_WORDS[trade.status],
    }),
  dayEnded: ({ midnightMs, equity, balance }) =>
    view(
      "day.ended",
      { midnightMs, equity: dollars(equity), balance: dollars(balance) },
      midnightMs,
    ),
  carryCharged: ({ dueMs, charges }) =>
    view(
      "carry.charged",
      {
        charges: charges.map(({ positionUuid, value, fee, rate = null }) => ({
          positionUuid,
          value: dollars(value),
          fee: dollars(fee),
          rate,
        })),
      },
      dueMs,
    ),
  sharesSplit: ({ actionId, pair, newShares, oldShares, position, orders, dueMs }) =>
    view(
      "shares.split",
      {
        actionId,
        tradePair: pair,
        newShares,
        oldShares,
        position:
          position === null
            ? null
            : {
                positionUuid: position.uuid,
                quantity: lots(position.quantity),
                averageEntryPrice: position.averageEntryPrice,
              },
        orders: orders.map(eventOrderView),
      },
      dueMs,
    ),
  dividendPaid: ({ actionId, pair, positionUuid, amount, usdRate, paid, dueMs }) =>
    view(
      "dividend.paid",
      { actionId, tradePair: pair, positionUuid, amount, usdRate, paid: dollars(paid) },
      dueMs,
    ),
  accountOpened: ({ terms, provisioned }) =>
    view("account.opened", {
      programId: terms.programId,
      programVersion: terms.programVersion,
      variant: terms.variant,
      assetClass: ASSET_CLASS_WORDS[terms.assetClass],
      size: dollars(terms.size),
      drawdownCriteria: terms.criteria,
      provisioned,
    }),
  accountProvisioned: () => view("account.provisioned", { status: "active" }),
  accountEliminated: ({ elimination: { cause, drawdownPct } }) =>
    view("account.eliminated", { reason: eliminationReason(cause), drawdownPct }),
  accountClosed: ({ forfeited }) =>
    view("account.closed", {
      status: "closed",
      ...(forfeited === undefined ? {} : { forfeited: dollars(forfeited) }),
    }),
  challengePassed: ({ by, equity }) => view("challenge.passed", { by, equity: dollars(equity) }),
  proOffered: ({ terms, transitionEndsAtMs }) =>
    view("pro.offered", {
      programId: terms.programId,
      programVersion: terms.programVersion,
      size: dollars(terms.size),
      transitionEndsAtMs,
    }),
  proStarted: ({ phase, terms, startMs, equity }) =>
    view(
      "pro.started",
      {
        bucket: bucketWord("active", phase),
        programId: terms.programId,
        programVersion: terms.programVersion,
        size: dollars(terms.size),
        startMs,
        equity: dollars(equity),
      },
      startMs,
    ),
  proPromoted: ({ by, profit, promotedMs }) =>
    view("pro.promoted", { by, profit: dollars(profit), promotedMs }, promotedMs),
  softBreached: ({ dayStartMs }) => view("pro.soft_breached", { dayStartMs }),
  drawdownDeepened: ({ maxDrawdown }) => view("drawdown.deepened", { maxDrawdown }),
  limitNeared: ({ rule, level, equity, floor, worst }) =>
    view("limit.neared", {
      rule: LOSS_LIMIT_WORDS[rule].rule,
      level,
      equity: dollars(equity),
      floor: dollars(floor),
      tradePair: worst?.pair ?? null,
      price: worst?.price ?? null,
    }),
  cycleClosed: (cycle) =>
    view(
      "payout.cycle_closed",
      {
        periodStartMs: cycle.periodStartMs,
        periodEndMs: cycle.periodEndMs,
        profit: dollars(cycle.profit),
        gross: dollars(cycle.gross),
        share: dollars(cycle.share),
        released: dollars(cycle.released),
        isHeld: cycle.isHeld,
        payout: cycle.payout === null ? null : eventPayout(cycle.payout),
      },
      cycle.periodEndMs,
    ),
  payoutRecorded: ({ payout }) => view("payout.updated", { payout: eventPayout(payout) }),
  deferralForfeited: ({ amount }) => view("payout.forfeited", { amount: dollars(amount) }),
  switchArmed: ({ deadlineMs, action }) => view("switch.armed", { deadlineMs, action }),
  switchSuspended: ({ action, spanMs }) => view("switch.suspended", { action, spanMs }),
  switchEnded: () => view("switch.ended", { status: "ended" }),
  switchFired: ({ dueMs, action, waiting }) =>
    view(
      "switch.fired",
      {
        deadlineMs: dueMs,
        action,
        waiting: waiting.map(({ positionUuid, pair }) => ({ positionUuid, tradePair: pair })),
      },
      dueMs,
    ),
};

function eventPayout({ payment, ...payout }: Payout): EventPayout {
  return {
    id: payout.id,
    periodStartMs: payout.periodStartMs,
    periodEndMs: payout.periodEndMs,
    amount: dollars(payout.amount),
    profitSplit: payout.split,
    status: PAYOUT_STATUS_WORDS[payment.status],
    rail: payment.rail,
    provider: payment.provider,
    reference: payment.reference,
    requestedAtMs: payment.requestedAtMs,
    paidAtMs: payment.paidAtMs,
    paidAmount: usdOrNull(payment.paidAmount),
    createdAtMs: payout.createdAtMs,
  };
}

/** The parts of the event that depend on its type. */
export function eventPartsOf(event: Event): EventView {
  return rowView(VIEWS, event);
}

function rowView<Type extends Event["type"]>(
  views: { readonly [Row in Type]: (event: Extract<Event, { type: Row }>) => EventView },
  event: Extract<Event, { type: Type }>,
): EventView {
  return views[event.type](event);
}
