import type { CarryView, FillView, PositionType, TradeFills } from "@propgate/contract";
import { dollars } from "@propgate/core";
import { KIND_OF_WORD, usdOrNull } from "@propgate/wire";
import type { FeeKind, LinkedOrder, LinkedPosition } from "../dashboard/linked-readings.ts";
import type { LinkedPairs } from "../dashboard/pairs.ts";
import { type MaybeUnknown, magnitudeUsd } from "./exact-usd.ts";
import { isEliminationFill } from "./fills.ts";
import { feesOf } from "./trades.ts";

/** The fills and fees of an open or closed position; null when no fills were sent. */
export function linkedFillsView(
  position: LinkedPosition,
  pairs: LinkedPairs | null,
): TradeFills | null {
  const { fills } = position;
  if (fills === null || fills.length === 0) return null;
  return {
    fills: fills.map((fill, index) => fillView(fill, { position, index, count: fills.length })),
    carry: carryViews(position, pairs),
  };
}

/** A fill's index among the `count` fills of its position. */
interface FillIndex {
  readonly position: LinkedPosition;
  readonly index: number;
  readonly count: number;
}

function fillView(fill: LinkedOrder, place: FillIndex): FillView {
  const { processedMs } = fill;
  if (processedMs === null) throw new Error("broken invariant: a fill without a time was read");
  const effect = effectOf(fill, place);
  return {
    sequence: place.index + 1,
    atMs: processedMs,
    orderUuid: fill.uuid,
    kind: causeOf(fill),
    effect,
    direction: directionOf(effect, place.position),
    price: fill.price,
    // In some versions of the network, the key of the slippage has the cause of the order instead. So the slippage is
    // not known.
    slippage: null,
    quantity: fill.quantity === null ? null : Math.abs(fill.quantity),
    value: usdOrNull(magnitudeUsd(fill.value)),
    fee: null,
    realizedPnl: null,
    bindingCap: null,
    shortfall: null,
    excess: null,
    rateAgeMs: null,
  };
}

/**
 * The effect of a fill, found without its quantity. The first fill opens. A FLAT closes, and so does the last fill of a
 * closed position. Any other exit reduces, because after a close the network would have opened a new position. Null
 * when the kind of the fill is missing, because it could then be an entry or the exit of a leg.
 */
function effectOf(
  { type, executionType }: LinkedOrder,
  { position, index, count }: FillIndex,
): FillView["effect"] {
  const isInDirection = type === position.direction && executionType !== "BRACKET";
  if (isInDirection && index === 0) return "open";
  if (type === "FLAT") return "close";
  if (position.closeMs !== null && index === count - 1) return "close";
  if (!isInDirection) return "reduce";
  return executionType === null ? null : "add";
}

const OTHER_SIDE: Readonly<Record<PositionType, PositionType>> = { LONG: "SHORT", SHORT: "LONG" };

/**
 * The direction of a fill, from its effect: the network records the position's direction for a leg, and none for FLAT.
 */
function directionOf(
  effect: FillView["effect"],
  { direction }: LinkedPosition,
): FillView["direction"] {
  if (effect === null) return null;
  return effect === "open" || effect === "add" ? direction : OTHER_SIDE[direction];
}

/**
 * The cause of a fill, in the words of the embedded network where that network has the same cause; null when the cause
 * is not known.
 */
function causeOf(fill: LinkedOrder): MaybeUnknown<string> {
  const { uuid, type, executionType, price } = fill;
  if (isEliminationFill(fill)) return "elimination";
  if (executionType === "FLAT_ALL" || uuid.endsWith("-flat-all")) return "flatten";
  if (executionType === null) return null;
  if (executionType === "MARKET") return type === "FLAT" ? "closePair" : "market";
  // A leg fills at the exact price of its trigger.
  if (executionType === "BRACKET" && price !== null) {
    if (price === fill.stopLoss) return "stopLoss";
    if (price === fill.takeProfit) return "takeProfit";
  }
  return KIND_OF_WORD.get(executionType) ?? null;
}

const FEE_WORDS: Readonly<Record<FeeKind, string>> = {
  transaction: "transaction",
  carry: "carry",
  interest: "interest",
  borrow: "borrow",
  hl_funding: "funding",
  dividend_liability: "dividend",
};

function carryViews(
  position: LinkedPosition,
  pairs: LinkedPairs | null,
): readonly CarryView[] | null {
  const { feeHistory } = position;
  // The network leaves out an empty history.
  if (feeHistory === null) return feesOf(position, pairs) === 0 ? [] : null;
  return feeHistory.map(({ atMs, kind, amount }, index) => ({
    sequence: index + 1,
    atMs,
    kind: kind === null ? null : FEE_WORDS[kind],
    fee: dollars(amount),
  }));
}
