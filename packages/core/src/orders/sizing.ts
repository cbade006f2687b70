import type { PairId } from "../ids.ts";
import type { Instrument } from "../market/instrument.ts";
import {
  gridStepOf,
  minPositionOnGrid,
  roundDownToGrid,
  roundToGrid,
  roundToGridOrWhole,
} from "../market/lot-grid.ts";
import { notionalUsd, type PricedQuantity } from "../market/valuation.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { Draft } from "../state/draft.ts";
import type { ExposureCap } from "../state/exposure-cap.ts";
import type { Direction } from "../state/order.ts";
import type { Refusal } from "../state/refusal.ts";
import type { Size } from "../state/requested-size.ts";
import {
  dollars,
  lots,
  type Price,
  QUANTITY_MAX,
  type Quantity,
  quantity,
  roundUsd,
} from "../units.ts";
import { findTightestRoom } from "./caps.ts";
import { openPositionOf } from "./guards.ts";

/** A requested size, with the instrument and the price at which it would fill. */
export interface SizeRequest {
  readonly size: Size;
  readonly instrument: Instrument;
  readonly price: Price;
  /** USD for one unit of the quote currency at that price. */
  readonly usdRate: number;
}

/** The quantity of an order that opens or adds, after its caps. */
export interface CappedQuantity {
  readonly quantity: Quantity;
  /** The cap that reduced the size; null when none did. */
  readonly bindingCap: ExposureCap | null;
}

/**
 * The size of an order that opens or adds: rounded to the nearest grid step, or down to the last step within the caps.
 * Refused when a cap leaves no room, when the size rounds to zero, and when the position would be larger than the
 * largest exact quantity.
 * @rule D5.grid D5.caps decides
 */
export function sizeWithinCaps(
  draft: Draft,
  request: SizeRequest,
  direction: Direction,
): Result<CappedQuantity, Refusal> {
  const { instrument } = request;
  const step = gridStepOf(instrument, draft.state.terms.size);
  const exact = lotsBeforeGrid(draft, request);
  const room = findTightestRoom(draft, { instrument, direction });
  const roomLots = lotsWorth(room.usd, request);
  const open = openPositionOf(draft.state, instrument.id)?.quantity ?? 0;
  const max = lastStepWithin(room.usd, request, step);
  if (max === 0) return refuse({ code: "noRoom", pair: instrument.id, cap: room.cap });
  // The sum of this quantity and the open quantity must be exact. Otherwise the order is refused, and the refusal names
  // the field of the size.
  // @rule D10.exactQuantity decides
  if (Math.min(exact, roomLots) > lots(quantity(QUANTITY_MAX - open))) {
    return refuse({ code: "amountTooLarge", field: request.size.kind, pair: instrument.id });
  }
  const nearest = roundToGrid(exact, step);
  // The cap also reduces a size that is within the cap when its nearest grid step exceeds the cap.
  if (exact > roomLots || nearest > max) return ok({ quantity: max, bindingCap: room.cap });
  if (nearest === 0) return refuse(belowGridRefusal(instrument.id, step));
  return ok({ quantity: nearest, bindingCap: null });
}

/**
 * The last grid step whose value is within `usd`. The computed quotient may round up to a step that exceeds the value
 * by a micro dollar; then the result is one step lower.
 */
function lastStepWithin(usd: number, request: SizeRequest, step: Quantity): Quantity {
  const last = roundDownToGrid(Math.max(0, lotsWorth(usd, request)), step);
  const { instrument, price, usdRate } = request;
  const isWithin = notionalUsd(instrument, { quantity: last, price, usdRate }) <= roundUsd(usd);
  return last === 0 || isWithin ? last : quantity(last - step);
}

/**
 * The quantity that a reduction closes. `tookRestAlong` is true when it includes a remainder that would have been below
 * the minimum position.
 */
export interface Reduction {
  readonly quantity: Quantity;
  readonly tookRestAlong: boolean;
}

/**
 * The requested quantity, or the whole position when less than the minimum position would remain.
 * @rule D10.leastGoesAlong decides
 */
export function reductionOf(
  draft: Draft,
  { instrument, price, usdRate }: Omit<SizeRequest, "size">,
  { open, requested }: { readonly open: Quantity; readonly requested: Quantity },
): Reduction {
  const left = quantity(open - Math.min(requested, open));
  const isTooLittle =
    tooSmallRefusal(draft, instrument, { quantity: left, price, usdRate }) !== null;
  return isTooLittle
    ? { quantity: open, tookRestAlong: true }
    : { quantity: quantity(open - left), tookRestAlong: false };
}

/** The requested size on the grid, before any cap; refused when it rounds to zero. */
export function sizeOnGrid(draft: Draft, request: SizeRequest): Result<Quantity, Refusal> {
  const { instrument } = request;
  const step = gridStepOf(instrument, draft.state.terms.size);
  const nearest = roundToGrid(lotsBeforeGrid(draft, request), step);
  return nearest === 0 ? refuse(belowGridRefusal(instrument.id, step)) : ok(nearest);
}

/**
 * The size of an order that reduces, on the grid. A request for at least the open quantity closes it whole, even when
 * it is off the grid. Refused when the size rounds to zero. @rule D5.grid
 */
export function sizeToReduce(
  draft: Draft,
  request: SizeRequest,
  open: Quantity,
): Result<Quantity, Refusal> {
  const step = gridStepOf(request.instrument, draft.state.terms.size);
  const nearest = roundToGridOrWhole(lotsBeforeGrid(draft, request), { open, step });
  return nearest === 0 ? refuse(belowGridRefusal(request.instrument.id, step)) : ok(nearest);
}

/**
 * The refusal of an order that would leave the quantity `left`, when that is less than the minimum position. Null when
 * nothing would be left. @rule D5.leastPosition decides
 */
export function tooSmallRefusal(
  draft: Draft,
  instrument: Instrument,
  left: PricedQuantity,
): Refusal | null {
  if (left.quantity === 0) return null;
  const { leastPosition, id: pair } = instrument;
  if (leastPosition.kind === "value") {
    const isEnough = notionalUsd(instrument, left) >= leastPosition.value;
    const minimum = `$${dollars(leastPosition.value)}`;
    return isEnough ? null : { code: "positionTooSmall", pair, least: minimum };
  }
  const minimum = minPositionOnGrid(instrument, leastPosition.quantity, draft.state.terms.size);
  const isEnough = left.quantity >= minimum;
  return isEnough ? null : { code: "positionTooSmall", pair, least: `${lots(minimum)} lots` };
}

/**
 * The requested size in lots, before the grid: as sent, or worth a value in dollars, or worth a multiple of the present
 * balance. @rule D5.size decides
 */
export function lotsBeforeGrid({ balance }: Draft, request: SizeRequest): number {
  const { size } = request;
  switch (size.kind) {
    case "quantity":
      return size.lots;
    case "value":
      return lotsWorth(dollars(size.value), request);
    case "leverage":
      return lotsWorth(size.leverage * Math.max(0, dollars(balance)), request);
  }
}

function lotsWorth(usd: number, { instrument, price, usdRate }: SizeRequest): number {
  return usd / (price * instrument.lotSize * usdRate);
}

function belowGridRefusal(pair: PairId, step: Quantity): Refusal {
  return { code: "sizeBelowGrid", pair, step: String(lots(step)) };
}
