import { dollars, lots } from "@propgate/core";
import { refusalCode } from "../../refusal-code.ts";
import { bindingCapText, POSITION_WORDS } from "../../wire.ts";
import { differenceView } from "../fill-difference.ts";
import { eventOrder } from "./event-order.ts";
import { type EventViews, view } from "./view-of-event.ts";

/** The life of orders. @rule D9.eventViews */
export const ORDER_EVENT_VIEWS = {
  orderPlaced: ({ order }) => view("order.resting", { order: eventOrder(order) }),
  orderEdited: ({ order }) => view("order.edited", { order: eventOrder(order) }),
  orderHeld: ({ orderUuid, quote: { bid, ask, atMs } }) =>
    view("order.held", { orderUuid, bid, ask, quoteAtMs: atMs }),
  stopTriggered: ({ orderUuid }) => view("order.triggered", { orderUuid }),
  orderFilled: (fill) =>
    view("order.filled", {
      orderUuid: fill.orderUuid,
      positionUuid: fill.positionUuid,
      kind: fill.kind,
      tradePair: fill.pair,
      direction: POSITION_WORDS[fill.direction],
      effect: fill.effect,
      price: fill.price,
      slippage: fill.slippage,
      quantity: lots(fill.quantity),
      value: dollars(fill.value),
      leverage: fill.leverage,
      fee: dollars(fill.fee),
      realizedPnl: dollars(fill.realizedPnl),
      bindingCap: bindingCapText(fill.bindingCap),
      ...differenceView(fill),
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
  legsAttached: ({ legs }) => view("legs.attached", { legs: legs.map(eventOrder) }),
  trailMoved: ({ orderUuid, bestPrice }) => view("leg.trailed", { orderUuid, bestPrice }),
} satisfies Partial<EventViews>;
