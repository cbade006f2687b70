/**
 * Figures that need a mark. Without a price or a rate to USD a position has no value and the account no equity. The
 * result is then null or a refusal, never zero. The functions for answers show a position in a pair that no catalogue
 * knows with its value at entry.
 */
import type { PairId } from "../ids.ts";
import { markOf } from "../market/mark.ts";
import { gainUsd, notionalUsd, type PricedMarket, usdRateAt } from "../market/valuation.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { AccountState } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { Position } from "../state/position.ts";
import { addUsd, type MicroUsd, microUsd, type Price } from "../units.ts";

/** The value of a position at its mark. */
export interface PositionValue {
  readonly mark: Price;
  /** The gain at the mark, before fees. */
  readonly unrealizedPnl: MicroUsd;
  /** The value in USD, negative for a short. */
  readonly netValue: MicroUsd;
}

/**
 * A position cannot be valued: its pair has no price yet, its quote currency has no rate to USD, or no catalogue knows
 * the pair.
 */
export interface MissingMark {
  readonly code: "missingMark";
  readonly pair: PairId;
}

/** Sums over all open positions, at their marks. */
export interface OpenFigures {
  readonly unrealizedPnl: MicroUsd;
  /** Σ |net value|, in USD. */
  readonly positionValue: MicroUsd;
}

/**
 * The position at its mark. Null while the pair has no price, its quote currency has no rate to USD, or no catalogue
 * knows the pair. @rule D4.marks D4.pnlRate
 */
export function positionValueOf(position: Position, market: PricedMarket): PositionValue | null {
  const instrument = market.instruments.get(position.pair);
  const quote = market.quotes.get(position.pair);
  if (instrument === undefined || quote === undefined) return null;
  const mark = markOf(position.direction, quote);
  const usdRate = usdRateAt(instrument, mark, market);
  if (usdRate === null) return null;
  const sign = position.direction === "long" ? 1 : -1;
  const { quantity, averageEntryPrice: from } = position;
  const gain = gainUsd(instrument, { quantity, from, price: mark, usdRate });
  const value = notionalUsd(instrument, { quantity, price: mark, usdRate });
  return {
    mark,
    unrealizedPnl: microUsd(sign * gain),
    netValue: microUsd(sign * value),
  };
}

/**
 * A position's value as answers show it; null when `positionValueOf` is null, with one exception: a position in a pair
 * that no catalogue knows is shown with its value at entry and without a gain, because its lot and rate are unknown.
 * The room under the caps is computed from that value too. @rule D13.unknownPair decides
 */
export function shownValueOf(position: Position, market: PricedMarket): PositionValue | null {
  const { pair, direction, averageEntryPrice: mark, entryValue } = position;
  if (market.instruments.has(pair)) return positionValueOf(position, market);
  const netValue = microUsd(direction === "long" ? entryValue : 0 - entryValue);
  return { mark, unrealizedPnl: microUsd(0), netValue };
}

/** The open figures as answers show them. Refuses with the first pair that has no price or rate. */
export function shownFigures(
  positions: readonly Position[],
  market: PricedMarket,
): Result<OpenFigures, MissingMark> {
  return sumOpenFigures(positions, (position) => shownValueOf(position, market));
}

/** The sums over the positions. Refuses with the first pair that cannot be valued. */
function sumOpenFigures(
  positions: readonly Position[],
  valued: (position: Position) => PositionValue | null,
): Result<OpenFigures, MissingMark> {
  let unrealizedPnl = 0;
  let positionValue = 0;
  for (const position of positions) {
    const value = valued(position);
    if (value === null) return refuse({ code: "missingMark", pair: position.pair });
    unrealizedPnl += value.unrealizedPnl;
    positionValue += Math.abs(value.netValue);
  }
  return ok({ unrealizedPnl: microUsd(unrealizedPnl), positionValue: microUsd(positionValue) });
}

/** Balance + unrealized PnL. Refuses with the first pair that cannot be valued. @rule D4.equity decides */
export function equityOf(state: AccountState, market: PricedMarket): Result<MicroUsd, MissingMark> {
  return addBalance(
    state,
    sumOpenFigures(state.positions, (position) => positionValueOf(position, market)),
  );
}

/** Equity as answers show it. Refuses with the first pair that has no price or rate. @rule D13.unknownPair */
export function shownEquityOf(
  state: AccountState,
  market: PricedMarket,
): Result<MicroUsd, MissingMark> {
  return addBalance(state, shownFigures(state.positions, market));
}

function addBalance(
  state: AccountState,
  open: Result<OpenFigures, MissingMark>,
): Result<MicroUsd, MissingMark> {
  return open.ok ? ok(addUsd(balanceOf(state), open.value.unrealizedPnl)) : open;
}

/** Σ entry value of the open positions. @rule D4.capitalUsed decides */
export function capitalUsedOf(state: Pick<AccountState, "positions">): MicroUsd {
  return addUsd(...state.positions.map(({ entryValue }) => entryValue));
}
