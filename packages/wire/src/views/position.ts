import type { Linked, PositionItem } from "@propgate/contract";
import {
  type Direction,
  dollars,
  type Instruments,
  lots,
  type PositionReading,
  type Quantity,
} from "@propgate/core";
import { DIRECTION_WORDS } from "../wire.ts";
import { pairDisplay } from "./pair-display.ts";
import { usdOrNull } from "./usd-or-null.ts";

/**
 * An open position in the API's form. Quantity, value and leverage are negative for a SHORT. Figures that need a price
 * are null without one: the pages show such a position, the API answers 503.
 * @rule D4.returns D13.types D13.stalePosition @rule S2.2 decides
 */
export function positionView(
  reading: PositionReading,
  instruments: Instruments,
): PositionItem<Linked> {
  const { position } = reading;
  return {
    positionUuid: position.uuid,
    tradePair: position.pair,
    tradePairDisplay: pairDisplay(instruments, position.pair),
    positionType: DIRECTION_WORDS[position.direction],
    netLeverage: reading.netLeverage,
    netQuantity: signedLots(position.direction, position.quantity),
    averageEntryPrice: position.averageEntryPrice,
    currentReturn: reading.currentReturn,
    openMs: position.openedAtMs,
    unrealizedPnl: usdOrNull(reading.unrealizedPnl),
    realizedPnl: dollars(position.realizedPnl),
    netValue: usdOrNull(reading.netValue),
    cumulativeEntryValue: dollars(position.cumulativeEntryValue),
    stopLoss: reading.stopLoss,
    takeProfit: reading.takeProfit,
    breachPriceAlone: reading.breachPriceAlone,
    isStale: reading.isStale,
  };
}

/** The quantity in lots, negative for a SHORT. @rule S2.2 */
export function signedLots(direction: Direction, quantity: Quantity): number {
  return direction === "long" ? lots(quantity) : -lots(quantity);
}
