import { downToGrid, gridStepOf, nearestOnGrid } from "../market/lot-grid.ts";
import { notionalUsd } from "../market/valuation.ts";
import type { Draft } from "../network/draft.ts";
import type { Refusal } from "../network/refusal.ts";
import { ok, type Result, refuse } from "../result.ts";
import {
  dollars,
  type Leverage,
  leverage,
  lots,
  type MicroUsd,
  type Price,
  type Quantity,
  quantity,
} from "../units.ts";
import { tightestRoom } from "./caps.ts";
import type { Market } from "./guards.ts";
import type { Size } from "./size.ts";

/** A size as sent, and where it is to be carried out. */
export interface Asked {
  readonly size: Size;
  readonly market: Pick<Market, "instrument" | "usdRate">;
  readonly price: Price;
}

export interface Sized {
  readonly quantity: Quantity;
  /** The cap that made it less than asked; null without one. */
  readonly bindingCap: string | null;
}

/**
 * For an order that opens or adds: to the nearest step of the grid, or, past a cap, down to the
 * last step within it. @rule D5.size @rule D5.caps
 */
export function sizeWithinCaps(draft: Draft, asked: Asked): Result<Sized, Refusal> {
  const { instrument } = asked.market;
  const step = gridStepOf(instrument, draft.state.terms.size);
  const exact = exactLots(asked, draft.balance);
  const room = tightestRoom(draft, instrument);
  const roomLots = lotsWorth(room.usd, asked);
  const most = downToGrid(Math.max(0, roomLots), step);
  if (most === 0) return refuse({ code: "noRoom", pair: instrument.id, cap: room.cap });
  if (exact > roomLots) return ok({ quantity: most, bindingCap: room.cap });
  const nearest = nearestOnGrid(exact, step);
  if (nearest === 0) return refuse(belowGrid(instrument.id, step));
  return ok({ quantity: quantity(Math.min(nearest, most)), bindingCap: null });
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
  const { instrument } = asked.market;
  const step = gridStepOf(instrument, draft.state.terms.size);
  const nearest = nearestOnGrid(exactLots(asked, draft.balance), step);
  return nearest === 0 ? refuse(belowGrid(instrument.id, step)) : ok(nearest);
}

/** Null: what is left is nothing, or enough to be a position. @rule D5.leastPosition */
export function tooSmallRefusal(market: Asked["market"], price: Price, left: Quantity): Refusal | null {
  const { instrument, usdRate } = market;
  const { leastPosition: least, id: pair } = instrument;
  if (left === 0) return null;
  if (least.kind === "quantity") {
    const isEnough = left >= least.quantity;
    return isEnough ? null : { code: "positionTooSmall", pair, least: `${lots(least.quantity)} lot` };
  }
  const isEnough = notionalUsd(instrument, { quantity: left, price, usdRate }) >= least.value;
  return isEnough ? null : { code: "positionTooSmall", pair, least: `$${dollars(least.value)}` };
}

/** Lots as asked for, before the grid; leverage is a multiple of the current balance. */
function exactLots(asked: Asked, balance: MicroUsd): number {
  const { size } = asked;
  switch (size.kind) {
    case "quantity":
      return size.lots;
    case "value":
      return lotsWorth(dollars(size.value), asked);
    case "leverage":
      return lotsWorth(size.leverage * Math.max(0, dollars(balance)), asked);
  }
}

function lotsWorth(usd: number, { market, price }: Asked): number {
  return usd / (price * market.instrument.lotSize * market.usdRate);
}

/** A balance that is gone has no multiple. */
export function leverageOf(value: MicroUsd, balance: MicroUsd): Leverage {
  return leverage(balance > 0 ? value / balance : 0);
}

function belowGrid(pair: Market["instrument"]["id"], step: Quantity): Refusal {
  return { code: "sizeBelowGrid", pair, step: String(lots(step)) };
}
