import type { Linked, PositionItem } from "@propgate/contract";
import { usdOrNull } from "@propgate/wire";
import type { LinkedPosition } from "../dashboard/linked-readings.ts";
import type { LinkedPairs } from "../dashboard/pairs.ts";
import type { LinkedReading } from "../reading-desk.ts";
import { entryValue, netQuantity } from "./fills.ts";
import { legsWithActingStop, nearestLevels } from "./stop-levels.ts";

/**
 * Open positions in the API's form, in the order of opening. `pairs` is null when they could not be read. @rule S2.2
 */
export function linkedPositionsView(
  { readings, isStale }: Pick<LinkedReading, "readings" | "isStale">,
  pairs: LinkedPairs | null,
): readonly PositionItem<Linked>[] {
  return Object.values(readings.positions)
    .toSorted((one, other) => one.openMs - other.openMs)
    .map((position) => ({ ...positionItem(position, pairs), isStale }));
}

function positionItem(
  position: LinkedPosition,
  pairs: LinkedPairs | null,
): Omit<PositionItem<Linked>, "isStale"> {
  return {
    positionUuid: position.uuid,
    tradePair: linkedPairId(position.pairDisplay, pairs),
    tradePairDisplay: position.pairDisplay,
    positionType: position.direction,
    netLeverage: position.netLeverage,
    netQuantity: netQuantity(position),
    averageEntryPrice: position.averageEntryPrice,
    currentReturn: position.currentReturn,
    openMs: position.openMs,
    unrealizedPnl: usdOrNull(position.unrealizedPnl),
    realizedPnl: usdOrNull(position.realizedPnl),
    netValue: usdOrNull(position.netValue),
    cumulativeEntryValue: usdOrNull(entryValue(position)),
    ...nearestLevels(position, legsWithActingStop(position)),
    // The network sends no prices.
    breachPriceAlone: null,
  };
}

/** The id of a display form; a pair that the network does not list keeps its display form. */
export function linkedPairId(display: string, pairs: LinkedPairs | null): string {
  return pairs?.find(display)?.id ?? display;
}
