/** A second implementation of the value of a position for tests, from quotes and lot sizes only. */
import { pairId } from "../../ids.ts";
import type { Instrument } from "../../market/instrument.ts";
import type { Moment } from "../../state/moment.ts";
import type { Position } from "../../state/position.ts";

/**
 * Rounds dollars to micro dollars. Half a micro dollar is rounded away from zero, even when binary arithmetic has left
 * it a little too small. When the dollars are a difference of two amounts, `largest` is the greater of them.
 */
export function roundDollarsToMicro(usd: number, largest: number = usd): number {
  const noise = Math.min(Math.abs(largest) * 1e6 * 2 ** -50, 0.125);
  const size = Math.abs(usd) * 1e6;
  const whole = Math.floor(size) + (size - Math.floor(size) + noise >= 0.5 ? 1 : 0);
  return Math.sign(usd) * whole + 0;
}

/** The instrument of a pair. @throws when the catalogue does not have the pair */
export function instrumentOf(pair: string, moment: Moment): Instrument {
  const instrument = moment.instruments.get(pairId(pair));
  if (instrument === undefined) throw new Error(`no such pair: ${pair}`);
  return instrument;
}

/** USD for one unit of the pair's quote currency when the pair's price is `at`; null without a quote of the rate. */
export function dollarRate({ base, quote }: Instrument, at: number, moment: Moment): number | null {
  if (quote === "USD") return 1;
  if (base === "USD") return 1 / at;
  const direct = moment.quotes.get(pairId(`${quote}USD`));
  if (direct !== undefined) return (direct.bid + direct.ask) / 2;
  const inverse = moment.quotes.get(pairId(`USD${quote}`));
  return inverse === undefined ? null : 1 / ((inverse.bid + inverse.ask) / 2);
}

interface Worth {
  /** The value of the position in micro dollars, without a sign. */
  readonly value: number;
  /** The open PnL in micro dollars. */
  readonly openPnl: number;
}

/** The value and open PnL of a position; null while its pair, or the rate of its quote currency, has no quote. */
export function positionWorth(position: Position, moment: Moment): Worth | null {
  const quote = moment.quotes.get(position.pair);
  if (quote === undefined) return null;
  const instrument = instrumentOf(position.pair, moment);
  const isLong = position.direction === "long";
  const mark = isLong ? quote.bid : quote.ask;
  const rate = dollarRate(instrument, mark, moment);
  if (rate === null) return null;
  const units = (position.quantity / 100_000) * instrument.lotSize;
  const { averageEntryPrice: from } = position;
  const gain = roundDollarsToMicro(
    (mark - from) * units * rate,
    Math.max(mark, from) * units * rate,
  );
  return { value: roundDollarsToMicro(units * mark * rate), openPnl: isLong ? gain : 0 - gain };
}

/** Σ open PnL in micro dollars; null while a position has no price or no rate. */
export function openPnlOf(positions: readonly Position[], moment: Moment): number | null {
  let sum = 0;
  for (const position of positions) {
    const worth = positionWorth(position, moment);
    if (worth === null) return null;
    sum += worth.openPnl;
  }
  return sum;
}
