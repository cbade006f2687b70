import type { PairId } from "../ids.ts";
import type { Instrument } from "../market/instrument.ts";
import { downToGrid, gridStepOf, nearestOnGrid } from "../market/lot-grid.ts";
import { type Holding, notionalUsd } from "../market/valuation.ts";
import type { Draft } from "../network/draft.ts";
import type { Refusal } from "../network/refusal.ts";
import { ok, type Result, refuse } from "../result.ts";
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
import type { Size } from "./size.ts";

/** A size as sent, and where it is to be carried out. */
export interface Asked {
  readonly size: Size;
  readonly instrument: Instrument;
  readonly price: Price;
  /** USD for one unit of the quote currency, at that price. */
  readonly usdRate: number;
}

export interface Sized {
  readonly quantity: Quantity;
  /** The cap that made it less than asked; null without one. */
  readonly bindingCap: string | null;
}

/** Nobody's room is this large; below it every size is an exact number of grid steps. */
const LOTS_MAX = 1e9;

/**
 * For an order that opens or adds: to the nearest step of the grid, or, past a cap, down to the
 * last step within it. @rule D5.size D5.caps
 */
export function sizeWithinCaps(draft: Draft, asked: Asked): Result<Sized, Refusal> {
  const { instrument } = asked;
  const step = gridStepOf(instrument, draft.state.terms.size);
  const exact = exactLots(asked, draft.balance);
  const room = tightestRoom(draft, instrument);
  const roomLots = lotsWorth(room.usd, asked);
  const most = lastStepWithin(room.usd, asked, step);
  if (most === 0) return refuse({ code: "noRoom", pair: instrument.id, cap: room.cap });
  if (exact > roomLots) return ok({ quantity: most, bindingCap: room.cap });
  const nearest = nearestOnGrid(exact, step);
  if (nearest === 0) return refuse(belowGrid(instrument.id, step));
  return ok({ quantity: quantity(Math.min(nearest, most)), bindingCap: null });
}

/** The quotient may round up to a step that is a micro dollar too much: then it is the one before. */
function lastStepWithin(usd: number, asked: Asked, step: Quantity): Quantity {
  const last = downToGrid(Math.max(0, lotsWorth(usd, asked)), step);
  const { instrument, price, usdRate } = asked;
  const isWithin = notionalUsd(instrument, { quantity: last, price, usdRate }) <= roundUsd(usd);
  return last === 0 || isWithin ? last : quantity(last - step);
}

/** For an order that reduces: never more than is open, and no cap binds it. @rule D5.caps */
export function sizeToReduce(
  draft: Draft,
  asked: Asked,
  open: Quantity,
): Result<Quantity, Refusal> {
  const nearest = sizeOnGrid(draft, asked);
  return nearest.ok ? ok(quantity(Math.min(nearest.value, open))) : nearest;
}

/** The size on the grid, before any cap. */
export function sizeOnGrid(draft: Draft, asked: Asked): Result<Quantity, Refusal> {
  const { instrument } = asked;
  const step = gridStepOf(instrument, draft.state.terms.size);
  const nearest = nearestOnGrid(exactLots(asked, draft.balance), step);
  return nearest === 0 ? refuse(belowGrid(instrument.id, step)) : ok(nearest);
}

/** Null: what is left is nothing, or enough to be a position. @rule D5.leastPosition */
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
  const least = leastQuantity(instrument, leastPosition.quantity, draft.state.terms.size);
  const isEnough = left.quantity >= least;
  return isEnough ? null : { code: "positionTooSmall", pair, least: `${lots(least)} lots` };
}

/** One grid step means a step of the account's own grid. */
function leastQuantity(instrument: Instrument, least: Quantity, accountSize: MicroUsd): Quantity {
  return least === instrument.gridStep ? gridStepOf(instrument, accountSize) : least;
}

/** Lots as asked for, before the grid; leverage is a multiple of the current balance. */
function exactLots(asked: Asked, balance: MicroUsd): number {
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

function lotsWorth(usd: number, { instrument, price, usdRate }: Asked): number {
  return Math.min(usd / (price * instrument.lotSize * usdRate), LOTS_MAX);
}

function belowGrid(pair: PairId, step: Quantity): Refusal {
  return { code: "sizeBelowGrid", pair, step: String(lots(step)) };
}
