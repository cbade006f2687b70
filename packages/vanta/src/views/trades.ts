import type { Linked, TradeItem } from "@propgate/contract";
import { type MicroUsd, microUsd } from "@propgate/core";
import type { LinkedRecord } from "@propgate/ledger";
import { leverageText, moneyText, priceText, usdOrNull } from "@propgate/wire";
import type { LinkedOrder, LinkedPosition } from "../dashboard/linked-readings.ts";
import type { LinkedPairs } from "../dashboard/pairs.ts";
import type { MaybeUnknown } from "./exact-usd.ts";
import {
  entriesOf,
  entryValue,
  exitsOf,
  isEliminationFill,
  openedQuantity,
  withoutNoise,
} from "./fills.ts";
import { linkedPairId } from "./positions.ts";
import { nearestLevels } from "./stop-levels.ts";

const UNKNOWN = "--";

/** Closed trades in the API's form, newest first. `records` are of the kind `closedPosition`. @rule S2.4 */
export function linkedTradesView(
  records: readonly LinkedRecord[],
  pairs: LinkedPairs | null,
): readonly TradeItem<Linked>[] {
  return records
    .map(closedPosition)
    .toSorted((one, other) => other.closeMs - one.closeMs)
    .map((position) => tradeItem(position, pairs));
}

export type ClosedPosition = LinkedPosition & { readonly closeMs: number };

/** The position of a record of the kind `closedPosition`. */
export function closedPosition({ atMs, body }: LinkedRecord): ClosedPosition {
  const position = JSON.parse(body) as LinkedPosition;
  return { ...position, closeMs: atMs };
}

function tradeItem(position: ClosedPosition, pairs: LinkedPairs | null): TradeItem<Linked> {
  const leverage = leverageOf(position);
  const value = entryValue(position);
  const closePrice = averageExitPrice(position);
  const { averageEntryPrice: entryPrice } = position;
  return {
    id: position.uuid,
    tradePair: linkedPairId(position.pairDisplay, pairs),
    tradePairDisplay: position.pairDisplay,
    positionType: position.direction,
    leverage: leverage === null ? UNKNOWN : leverageText(leverage),
    leverageNumeric: leverage,
    positionSize: value === null ? UNKNOWN : moneyText(value),
    positionSizeNumeric: usdOrNull(value),
    quantity: openedQuantity(position),
    entryPrice: entryPrice === null ? UNKNOWN : priceText(entryPrice, null),
    entryPriceNumeric: entryPrice,
    closePrice: closePrice === null ? UNKNOWN : priceText(closePrice, null),
    closePriceNumeric: closePrice,
    unrealizedPnl: 0,
    realizedPnl: usdOrNull(position.realizedPnl),
    returnAtClose: position.returnAtClose,
    status: isLiquidated(position) ? "LIQUIDATED" : "CLOSED",
    openTimeMs: position.openMs,
    closeTimeMs: position.closeMs,
    ...nearestLevels(position, lastLegs(position)),
    totalFees: usdOrNull(feesOf(position, pairs)),
  };
}

/** The markets in which the network takes no fee for a fill. */
const FREE_CATEGORIES: ReadonlySet<string | null> = new Set(["forex", "indices"]);

/**
 * The fees of a position; null when they are unknown. The network leaves out an empty fee history. In markets where
 * each fill has a fee, a history that was not sent is therefore unknown; in the others there were no fees.
 */
export function feesOf(
  position: LinkedPosition,
  pairs: LinkedPairs | null,
): MaybeUnknown<MicroUsd> {
  if (position.fees !== null) return position.fees;
  const category = pairs?.find(position.pairDisplay)?.category ?? null;
  return FREE_CATEGORIES.has(category) ? NO_FEES : null;
}

const NO_FEES = microUsd(0);

/**
 * The leverage of a trade: the value of all entries divided by the balance at the first entry. That balance is the
 * first entry's value divided by its leverage. Null when a figure is not known.
 */
function leverageOf(position: LinkedPosition): MaybeUnknown<number> {
  const first = entriesOf(position)?.[0];
  const value = entryValue(position);
  if (value === null || first === undefined || first.value === null || first.value === 0) {
    return null;
  }
  return first.leverage === null
    ? null
    : withoutNoise(Math.abs((value * first.leverage) / first.value));
}

/**
 * The average price of the exits, weighted by quantity; a single exit needs no quantity. Null without exits, and when a
 * figure is not known.
 */
function averageExitPrice(position: LinkedPosition): MaybeUnknown<number> {
  const exits = exitsOf(position);
  if (exits === null || exits.length === 0) return null;
  const [only, ...others] = exits;
  if (others.length === 0) return only?.price ?? null;
  let [sum, quantity] = [0, 0];
  for (const exit of exits) {
    if (exit.price === null || exit.quantity === null) return null;
    sum += exit.price * Math.abs(exit.quantity);
    quantity += Math.abs(exit.quantity);
  }
  return quantity === 0 ? null : withoutNoise(sum / quantity);
}

function isLiquidated({ fills }: LinkedPosition): boolean {
  return (fills ?? []).some(isEliminationFill);
}

/** The legs that the position still had, and those that filled. */
function lastLegs({ legs, fills }: LinkedPosition): readonly LinkedOrder[] {
  return [...legs, ...(fills ?? []).filter(({ executionType }) => executionType === "BRACKET")];
}
