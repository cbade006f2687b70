/**
 * How far prices may move against an account before a breach: every long falls and every short rises by the same
 * percent of its mark. Rates stay the same, but a pair that converts at its own price moves with it. The price of a
 * long ends at 0, so beyond 100 % only shorts lose more.
 */

import { baseUnits } from "../market/lot-unit.ts";
import { markOf } from "../market/mark.ts";
import { isOwnRate, type PricedMarket, usdRateAt } from "../market/valuation.ts";
import type { Position } from "../state/position.ts";
import { dollars, type MicroUsd, type Percent, percent } from "../units.ts";

/** The parts of the formula that gives the loss in USD of an adverse move m, where m is a fraction: 0.05 is 5 %. */
export interface MoveLoss {
  /** Value of the longs, which lose m × this, at most all of it. */
  readonly longs: number;
  /** Value of the shorts, which lose m × this. */
  readonly shorts: number;
  /** Longs whose pair converts at its own price p: when it falls to p × (1 − m), they lose this × m / (1 − m). */
  readonly ownRateLongs: number;
  /** Shorts whose pair converts at its own price: they lose this × m / (1 + m). */
  readonly ownRateShorts: number;
}

/** The loss of all positions together. Null without a position, and while one has no price, rate or instrument. */
export function moveLossOf(positions: readonly Position[], market: PricedMarket): MoveLoss | null {
  if (positions.length === 0) return null;
  const loss = { longs: 0, shorts: 0, ownRateLongs: 0, ownRateShorts: 0 };
  for (const position of positions) {
    const part = lossPartOf(position, market);
    if (part === null) return null;
    loss[part.term] += part.usd;
  }
  return loss;
}

interface LossPart {
  readonly term: keyof MoveLoss;
  readonly usd: number;
}

function lossPartOf(position: Position, market: PricedMarket): LossPart | null {
  const { pair, direction, quantity, averageEntryPrice: entry } = position;
  const instrument = market.instruments.get(pair);
  const quote = market.quotes.get(pair);
  if (instrument === undefined || quote === undefined) return null;
  const mark = markOf(direction, quote);
  const units = baseUnits(instrument, quantity);
  const isLong = direction === "long";
  // A unit of a pair that converts at its own price gains 1 − entry / price in USD, so a move changes entry / mark.
  if (isOwnRate(instrument)) {
    return { term: isLong ? "ownRateLongs" : "ownRateShorts", usd: (units * entry) / mark };
  }
  const usdRate = usdRateAt(instrument, mark, market);
  return usdRate === null
    ? null
    : { term: isLong ? "longs" : "shorts", usd: units * mark * usdRate };
}

function lossAtMove(
  { longs, shorts, ownRateLongs, ownRateShorts }: MoveLoss,
  move: number,
): number {
  const ofOwnRateLongs = ownRateLongs === 0 ? 0 : (ownRateLongs * move) / (1 - move);
  const ofOwnRateShorts = (ownRateShorts * move) / (1 + move);
  return longs * Math.min(1, move) + shorts * move + ofOwnRateLongs + ofOwnRateShorts;
}

/** The loss that no move exceeds; infinite when a loss can grow without end. */
function lossMax({ longs, shorts, ownRateLongs, ownRateShorts }: MoveLoss): number {
  return shorts > 0 || ownRateLongs > 0 ? Number.POSITIVE_INFINITY : longs + ownRateShorts;
}

const DIGITS_SHOWN = 12;

/**
 * The move, in percent, that loses `spare`: the equity above a floor. 4.97 is 4.97 %. The result is 0 when `spare` is
 * zero or below, and null when no move loses as much. @rule D12.breachMove decides
 */
export function breachMovePct(loss: MoveLoss, spare: MicroUsd): Percent | null {
  if (spare <= 0) return percent(0);
  const usd = dollars(spare);
  if (lossMax(loss) <= usd) return null;
  const move = moveThatLoses(loss, usd);
  // Shorts of almost no value lose `spare` only at a move that is too large to be exact.
  return move === Number.POSITIVE_INFINITY
    ? null
    : percent(Number((move * 100).toPrecision(DIGITS_SHOWN)));
}

/** How far the computed loss may differ from the exact one, as a fraction of it. */
const LOSS_TOLERANCE = 1e-12;

/**
 * A lower and an upper bound of the share for which `moveThatLoses` searches. When no position converts at its own
 * price, the move is known except for rounding. The two bounds are then close together, which saves most steps of the
 * bisection.
 */
function bisectionBounds(loss: MoveLoss, usd: number): readonly [low: number, high: number] {
  const whole: readonly [number, number] = [0, loss.ownRateLongs > 0 ? 0.5 : 1];
  if (loss.ownRateLongs > 0 || loss.ownRateShorts > 0) return whole;
  const move = usd / (loss.longs + loss.shorts);
  if (move > 1) return whole;
  const share = move / (1 + move);
  const [low, high] = [share * (1 - LOSS_TOLERANCE), share * (1 + LOSS_TOLERANCE)];
  const isBetween =
    lossAtMove(loss, low / (1 - low)) < usd && lossAtMove(loss, high / (1 - high)) >= usd;
  return isBetween ? [low, high] : whole;
}

/**
 * The move at which the loss is `usd`. It is found by bisection of share = move / (1 + move), which maps every move to
 * a number between 0 and 1. The loss grows with the move, so the bisection ends at two neighbouring numbers.
 */
function moveThatLoses(loss: MoveLoss, usd: number): number {
  let [low, high] = bisectionBounds(loss, usd);
  for (;;) {
    const middle = (low + high) / 2;
    const move = middle / (1 - middle);
    if (middle <= low || middle >= high) return move;
    if (lossAtMove(loss, move) < usd) low = middle;
    else high = middle;
  }
}
