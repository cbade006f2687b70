import { dollars, lots } from "@propgate/core";
import { POSITION_WORDS, TRADE_STATUS_WORDS } from "../../wire.ts";
import { eventOrder } from "./event-order.ts";
import { type EventViews, view } from "./view-of-event.ts";

/** Events of positions and days. @rule D9.eventViews */
export const POSITION_EVENT_VIEWS = {
  positionClosed: ({ trade }) =>
    view("position.closed", {
      positionUuid: trade.id,
      tradePair: trade.pair,
      direction: POSITION_WORDS[trade.direction],
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
        orders: orders.map(eventOrder),
      },
      dueMs,
    ),
  dividendPaid: ({ actionId, pair, positionUuid, amount, usdRate, paid, dueMs }) =>
    view(
      "dividend.paid",
      { actionId, tradePair: pair, positionUuid, amount, usdRate, paid: dollars(paid) },
      dueMs,
    ),
} satisfies Partial<EventViews>;
