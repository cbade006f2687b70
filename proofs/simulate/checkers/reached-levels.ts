/** The prices that trigger an order, computed without the code of the network. */
import {
  type BracketLeg,
  type Instrument,
  type Instruments,
  isFresh,
  isOpen,
  type PairId,
  type PendingOrder,
  pairId,
  type Quote,
  type Quotes,
  type UnixMs,
} from "@propgate/core";

/**
 * A mark that differs from a trailing level by a smaller share than this has not reached it, because trailing levels
 * have twelve digits.
 */
const NOISE = 1e-11;

/** The level of a pending order that the quote reaches, as text; null when it reaches none. */
export function reachedLevelOf(order: PendingOrder, quote: Quote): string | null {
  const { bid, ask } = quote;
  switch (order.kind) {
    case "limit": {
      const isReached =
        order.direction === "long" ? ask <= order.limitPrice : bid >= order.limitPrice;
      return isReached ? `its limit ${order.limitPrice}` : null;
    }
    case "stopLimit": {
      const mid = (bid + ask) / 2;
      const isReached =
        order.stopCondition === "gte" ? mid >= order.stopPrice : mid <= order.stopPrice;
      return isReached ? `its stop ${order.stopPrice}` : null;
    }
    case "bracket":
      return legReachedBy(order, order.direction === "long" ? bid : ask);
  }
}

/** The quote at which the pair trades; null while the pair's market is closed or its quote is not fresh. */
export function liveQuote(
  pair: PendingOrder["pair"],
  at: { readonly quotes: Quotes; readonly instruments: Instruments; readonly now: UnixMs },
): Quote | null {
  const quote = at.quotes.get(pair);
  const instrument = at.instruments.get(pair);
  if (quote === undefined || instrument === undefined) return null;
  const trades = isOpen(instrument.session, at.now) && isFresh(quote, instrument, at.now);
  return trades ? quote : null;
}

/** The ids of the pairs that may convert the pair's prices to USD, directly or inverted; none for prices in USD. */
export function ratePairsOf({ base, quote, quoteIsUsd }: Instrument): readonly PairId[] {
  if (base === "USD" || quote === "USD" || quoteIsUsd) return [];
  return [pairId(`${quote}USD`), pairId(`USD${quote}`)];
}

/**
 * True when orders of the pair that open or add wait for its conversion rate: the pair of the rate is halted, or its
 * market is open and it has no fresh quote. @rule D12.staleRate
 */
export function ordersAwaitRate(
  pair: PairId,
  {
    quoteOf,
    instruments,
    now,
  }: {
    readonly quoteOf: (pair: PairId) => Quote | null | undefined;
    readonly instruments: Instruments;
    readonly now: UnixMs;
  },
): boolean {
  const instrument = instruments.get(pair);
  const rates = instrument === undefined ? [] : ratePairsOf(instrument);
  return rates.some((name) => {
    const rate = instruments.get(name);
    if (rate === undefined) return false;
    const quote = quoteOf(name) ?? null;
    if (quote?.standing === "halted") return true;
    return isOpen(rate.session, now) && (quote === null || !isFresh(quote, rate, now));
  });
}

/**
 * The level of a leg that the mark reaches, as text; null when it reaches none. `up` reverses the comparisons for a
 * short. A mark that is better than the recorded best price of a trailing stop is not reported, because the service
 * follows the best price in memory before an event records it.
 */
function legReachedBy(leg: BracketLeg, mark: number): string | null {
  const up = leg.direction === "long" ? 1 : -1;
  const { stopLoss, takeProfit, bestPrice } = leg;
  if (stopLoss !== null && up * mark <= up * stopLoss) return `its stop ${stopLoss}`;
  if (takeProfit !== null && up * mark >= up * takeProfit) return `its target ${takeProfit}`;
  if (bestPrice === null) return null;
  const level = trailingLevel(leg, bestPrice);
  const isReached = level !== null && up * mark <= up * level - NOISE * level;
  return isReached ? `its trailing stop ${level}` : null;
}

function trailingLevel({ trailing, direction }: BracketLeg, best: number): number | null {
  if (trailing === null) return null;
  const distance = trailing.kind === "percent" ? best * trailing.ratio : trailing.value;
  const level = direction === "long" ? best - distance : best + distance;
  return level > 0 ? level : null;
}
