/** The prices at which pending orders trigger, written from the text of the rules. */
import { pairId } from "../../ids.ts";
import type { Instrument } from "../../market/instrument.ts";
import type { Quote } from "../../market/quote.ts";
import { isFresh, isOpen } from "../../market/trading.ts";
import type { Moment } from "../../state/moment.ts";
import type { Direction, LegRequest } from "../../state/order.ts";
import { ratePairOf } from "../lives/judging-model.ts";
import { dollarRate, instrumentOf } from "../lives/valuation-model.ts";
import type { PendingEntry, PendingLeg } from "./reference-book.ts";

/** A pair that can be traded at present. */
export interface TradablePair {
  readonly instrument: Instrument;
  readonly quote: Quote;
  /** False while the conversion rate is stale: orders may then only reduce. @rule D12.staleRate */
  readonly mayOpen: boolean;
}

/**
 * The pair as it can be traded. Null for an unknown pair, while its market is closed, and while its quote is stale,
 * missing or not convertible to USD. @rule D5.freshQuote
 */
export function tradablePairOf(pair: string, moment: Moment): TradablePair | null {
  const instrument = moment.instruments.get(pairId(pair));
  const quote = moment.quotes.get(pairId(pair));
  if (instrument === undefined || quote === undefined) return null;
  if (!isOpen(instrument.session, moment.now)) return null;
  const isConvertible = dollarRate(instrument, quote.bid, moment) !== null;
  if (!isConvertible || !isFresh(quote, instrument, moment.now)) return null;
  return { instrument, quote, mayOpen: staleRateAge(pair, moment) === null };
}

/**
 * The age in ms of the conversion rate's quote while it is stale in an open market, or its pair is halted; else null.
 * @rule D12.staleRate
 */
export function staleRateAge(pair: string, moment: Moment): number | null {
  const rate = ratePairOf(pair, moment);
  const quote = rate === null ? undefined : moment.quotes.get(pairId(rate));
  if (rate === null || quote === undefined) return null;
  const instrument = instrumentOf(rate, moment);
  const isLastOfSession = !isOpen(instrument.session, moment.now) && quote.standing !== "halted";
  if (isLastOfSession || isFresh(quote, instrument, moment.now)) return null;
  return Math.max(0, moment.now - quote.atMs);
}

/** The price at which a position of this direction could be closed. @rule D4.marks */
export function markOf(direction: Direction, { bid, ask }: Quote): number {
  return direction === "long" ? bid : ask;
}

/** The side of the quote at which an order of this direction fills, before slippage. */
export function fillPriceOf(direction: Direction, { bid, ask }: Quote): number {
  return direction === "long" ? ask : bid;
}

/** 1 when a rising price is a gain for this direction, else -1. */
export function gainSignOf(direction: Direction): 1 | -1 {
  return direction === "long" ? 1 : -1;
}

/** Whether the quote is at the entry's limit price or better. @rule D5.limit */
export function isLimitReached(
  entry: Pick<PendingEntry, "direction" | "limitPrice">,
  quote: Quote,
) {
  const up = gainSignOf(entry.direction);
  return up * fillPriceOf(entry.direction, quote) <= up * entry.limitPrice;
}

/** Whether the mid price has reached the entry's stop; false for an entry without one. @rule D5.stopLimit */
export function isStopTriggered({ stop }: PendingEntry, { bid, ask }: Quote): boolean {
  if (stop === null) return false;
  const mid = (bid + ask) / 2;
  return stop.condition === "gte" ? mid >= stop.price : mid <= stop.price;
}

/** Whether the quote hits the leg's fixed stop or its trailing one. @rule D5.legs D5.trailing */
export function isStopHit(leg: PendingLeg, quote: Quote): boolean {
  const mark = markOf(leg.direction, quote);
  const up = gainSignOf(leg.direction);
  const { stopLoss } = leg.request;
  if (stopLoss !== null && up * mark <= up * stopLoss) return true;
  const level = trailingLevel(leg.request, leg.direction, bestPriceAfter(leg, quote));
  return level !== null && up * mark <= up * level;
}

/** Whether the quote hits the leg's target. @rule D5.legs */
export function isTargetHit({ direction, request }: PendingLeg, quote: Quote): boolean {
  const up = gainSignOf(direction);
  return request.takeProfit !== null && up * markOf(direction, quote) >= up * request.takeProfit;
}

/**
 * The best price of the leg after this quote; it only ever improves. Null for a leg that does not trail.
 * @rule D5.trailing
 */
export function bestPriceAfter({ best, direction }: PendingLeg, quote: Quote): number | null {
  if (best === null) return null;
  const mark = markOf(direction, quote);
  return gainSignOf(direction) * mark > gainSignOf(direction) * best ? mark : best;
}

function trailingLevel(
  { trailing }: LegRequest,
  direction: Direction,
  best: number | null,
): number | null {
  if (trailing === null || best === null) return null;
  const distance = trailing.kind === "percent" ? best * trailing.ratio : trailing.value;
  const level = best - gainSignOf(direction) * distance;
  return level > 0 ? Number(level.toPrecision(12)) : null;
}
