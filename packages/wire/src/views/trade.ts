import type { TradeItem } from "@propgate/contract";
import { dollars, type Instruments, type Trade } from "@propgate/core";
import { DIRECTION_WORDS, TRADE_STATUS_WORDS } from "../wire.ts";
import { leverageText, moneyText, priceText } from "./format.ts";
import { pairDisplay } from "./pair-display.ts";
import { signedLots } from "./position.ts";

/** A closed trade in the API's form. @rule S2.4 D4.returns */
export function tradeView(trade: Trade, instruments: Instruments): TradeItem {
  const tick = instruments.get(trade.pair)?.tick ?? null;
  return {
    id: trade.id,
    tradePair: trade.pair,
    tradePairDisplay: pairDisplay(instruments, trade.pair),
    positionType: DIRECTION_WORDS[trade.direction],
    leverage: leverageText(trade.leverage),
    leverageNumeric: trade.leverage,
    positionSize: moneyText(trade.cumulativeEntryValue),
    positionSizeNumeric: dollars(trade.cumulativeEntryValue),
    quantity: signedLots(trade.direction, trade.quantity),
    entryPrice: priceText(trade.averageEntryPrice, tick),
    entryPriceNumeric: trade.averageEntryPrice,
    closePrice: priceText(trade.averageExitPrice, tick),
    closePriceNumeric: trade.averageExitPrice,
    unrealizedPnl: 0,
    realizedPnl: dollars(trade.realizedPnl),
    returnAtClose: trade.returnAtClose,
    status: TRADE_STATUS_WORDS[trade.status],
    openTimeMs: trade.openedAtMs,
    closeTimeMs: trade.closedAtMs,
    stopLoss: trade.stopLoss,
    takeProfit: trade.takeProfit,
    totalFees: dollars(trade.fees),
  };
}
