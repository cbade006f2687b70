/**
 * Figures that need a mark. Without a price or a rate to USD a position has no value and the account
 * no equity. The result then is a refusal, never zero.
 */
import type { PairId } from "../ids.ts";
import { markOf } from "../market/mark.ts";
import { gainUsd, notionalUsd, type PricedMarket, usdRateAt } from "../market/valuation.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { AccountState } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { Position } from "../state/position.ts";
import { addUsd, type MicroUsd, microUsd, type Price } from "../units.ts";

/** A position at its mark. */
export interface PositionValue {
  readonly mark: Price;
  /** Before fees. */
  readonly unrealizedPnl: MicroUsd;
  /** Signed: a short's is negative. */
  readonly netValue: MicroUsd;
}

/** The pair has no price yet, or its quote currency has no rate to USD yet. */
export interface MissingMark {
  readonly code: "missingMark";
  readonly pair: PairId;
}

/** Sums over all open positions. */
export interface OpenFigures {
  readonly unrealizedPnl: MicroUsd;
  /** Σ |net value|. */
  readonly positionValue: MicroUsd;
}

/** Null while the pair has no price or its quote currency no rate. @rule D4.marks D4.pnlRate */
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
 * For answers alone. A position whose pair no catalogue knows has its value at entry, which also takes its room:
 * without the pair's lots and rate no price gives another one.
 * @rule D13.unknownPair decides
 */
export function shownValueOf(position: Position, market: PricedMarket): PositionValue | null {
  const { pair, direction, averageEntryPrice: mark, entryValue } = position;
  if (market.instruments.has(pair)) return positionValueOf(position, market);
  const netValue = microUsd(direction === "long" ? entryValue : 0 - entryValue);
  return { mark, unrealizedPnl: microUsd(0), netValue };
}

/** Equity as answers show it. Refuses with the first pair that has no price. */
export function shownFigures(
  positions: readonly Position[],
  market: PricedMarket,
): Result<OpenFigures, MissingMark> {
  return sumOf(positions, (position) => shownValueOf(position, market));
}

/** Refuses with the first pair that cannot be valued. */
function sumOf(
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

/** balance + unrealized. @rule D4.equity decides */
export function equityOf(state: AccountState, market: PricedMarket): Result<MicroUsd, MissingMark> {
  return withBalance(
    state,
    sumOf(state.positions, (position) => positionValueOf(position, market)),
  );
}

/** For answers alone. @rule D13.unknownPair */
export function shownEquityOf(
  state: AccountState,
  market: PricedMarket,
): Result<MicroUsd, MissingMark> {
  return withBalance(state, shownFigures(state.positions, market));
}

function withBalance(
  state: AccountState,
  open: Result<OpenFigures, MissingMark>,
): Result<MicroUsd, MissingMark> {
  return open.ok ? ok(addUsd(balanceOf(state), open.value.unrealizedPnl)) : open;
}

/** Σ entry value of open positions. @rule D4.capitalUsed decides */
export function capitalUsedOf(state: Pick<AccountState, "positions">): MicroUsd {
  return addUsd(...state.positions.map(({ entryValue }) => entryValue));
}
