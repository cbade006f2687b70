import type { PairId } from "../ids.ts";
import type { Instrument } from "../market/instrument.ts";
import { downToGrid, gridStepOf, minOnGrid, nearestOnGrid } from "../market/lot-grid.ts";
import { type Holding, notionalUsd } from "../market/valuation.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { Draft } from "../state/draft.ts";
import type { ExposureCap } from "../state/exposure-cap.ts";
import type { Direction } from "../state/order.ts";
import type { Refusal } from "../state/refusal.ts";
import type { Size } from "../state/requested-size.ts";
import {
  dollars,
  lots,
  type MicroUsd,
  type Price,
  type Quantity,
  quantity,
  roundUsd,
} from "../units.ts";
import { tightestRoom } from "./caps.ts";

/** A requested size, with the instrument and the price at which it would fill. */
export interface SizeRequest {
  readonly size: Size;
  readonly instrument: Instrument;
  readonly price: Price;
  /** USD for one unit of the quote currency at that price. */
  readonly usdRate: number;
}

export interface Sized {
  readonly quantity: Quantity;
  /** The cap that reduced the size; null when none did. */
  readonly bindingCap: ExposureCap | null;
}

/** Larger than any room; below it every size is an exact number of grid steps. */
const LOTS_MAX = 1e9;

/**
 * The size of an order that opens or adds: rounded to the nearest grid step, or down to the last step
 * within the caps. @rule D5.size D5.caps
 */
export function sizeWithinCaps(
  draft: Draft,
  asked: SizeRequest,
  direction: Direction,
): Result<Sized, Refusal> {
  const { instrument } = asked;
  const step = gridStepOf(instrument, draft.state.terms.size);
  const exact = exactLots(asked, draft.balance);
  const room = tightestRoom(draft, { instrument, direction });
  const roomLots = lotsWorth(room.usd, asked);
  const most = lastStepWithin(room.usd, asked, step);
  if (most === 0) return refuse({ code: "noRoom", pair: instrument.id, cap: room.cap });
  if (exact > roomLots) return ok({ quantity: most, bindingCap: room.cap });
  const nearest = nearestOnGrid(exact, step);
  if (nearest === 0) return refuse(belowGrid(instrument.id, step));
  return ok({ quantity: quantity(Math.min(nearest, most)), bindingCap: null });
}

/** The quotient may round up to a step that exceeds the value by a micro dollar; then takes the step before. */
function lastStepWithin(usd: number, asked: SizeRequest, step: Quantity): Quantity {
  const last = downToGrid(Math.max(0, lotsWorth(usd, asked)), step);
  const { instrument, price, usdRate } = asked;
  const isWithin = notionalUsd(instrument, { quantity: last, price, usdRate }) <= roundUsd(usd);
  return last === 0 || isWithin ? last : quantity(last - step);
}

/** The size of an order that reduces: at most the open quantity; caps do not apply. @rule D5.caps */
export function sizeToReduce(
  draft: Draft,
  asked: SizeRequest,
  open: Quantity,
): Result<Quantity, Refusal> {
  const nearest = sizeOnGrid(draft, asked);
  return nearest.ok ? ok(quantity(Math.min(nearest.value, open))) : nearest;
}

/** The quantity that a reduction closes; `tookRestAlong` when it is more than requested. */
export interface Reduction {
  readonly quantity: Quantity;
  readonly tookRestAlong: boolean;
}

/** Also closes a remainder below the minimum position. @rule D10.leastGoesAlong */
export function reductionOf(
  draft: Draft,
  { instrument, price, usdRate }: Omit<SizeRequest, "size">,
  { open, asked }: { readonly open: Quantity; readonly asked: Quantity },
): Reduction {
  const left = quantity(open - Math.min(asked, open));
  const isTooLittle =
    tooSmallRefusal(draft, instrument, { quantity: left, price, usdRate }) !== null;
  return isTooLittle
    ? { quantity: open, tookRestAlong: true }
    : { quantity: quantity(open - left), tookRestAlong: false };
}

/** The size on the grid, before any cap. */
export function sizeOnGrid(draft: Draft, asked: SizeRequest): Result<Quantity, Refusal> {
  const { instrument } = asked;
  const step = gridStepOf(instrument, draft.state.terms.size);
  const nearest = nearestOnGrid(exactLots(asked, draft.balance), step);
  return nearest === 0 ? refuse(belowGrid(instrument.id, step)) : ok(nearest);
}

/** Null when nothing is left, or at least the minimum position. @rule D5.leastPosition */
export function tooSmallRefusal(
  draft: Draft,
  instrument: Instrument,
  left: Holding,
): Refusal | null {
  if (left.quantity === 0) return null;
  const { leastPosition, id: pair } = instrument;
  if (leastPosition.kind === "value") {
    const least = `$${dollars(leastPosition.value)}`;
    const isEnough = notionalUsd(instrument, left) >= leastPosition.value;
    return isEnough ? null : { code: "positionTooSmall", pair, least };
  }
  const least = minOnGrid(instrument, leastPosition.quantity, draft.state.terms.size);
  const isEnough = left.quantity >= least;
  return isEnough ? null : { code: "positionTooSmall", pair, least: `${lots(least)} lots` };
}

/** Requested lots before the grid; leverage is a multiple of the present balance. */
function exactLots(asked: SizeRequest, balance: MicroUsd): number {
  const { size } = asked;
  switch (size.kind) {
    case "quantity":
      return Math.min(size.lots, LOTS_MAX);
    case "value":
      return lotsWorth(dollars(size.value), asked);
    case "leverage":
      return lotsWorth(size.leverage * Math.max(0, dollars(balance)), asked);
  }
}

function lotsWorth(usd: number, { instrument, price, usdRate }: SizeRequest): number {
  return Math.min(usd / (price * instrument.lotSize * usdRate), LOTS_MAX);
}

function belowGrid(pair: PairId, step: Quantity): Refusal {
  return { code: "sizeBelowGrid", pair, step: String(lots(step)) };
}
