import type { PairId } from "../ids.ts";
import type { Quote, Quotes } from "../market/quote.ts";
import type { PricedMarket } from "../market/valuation.ts";
import type { AccountState } from "../state/account.ts";
import type { Position } from "../state/position.ts";
import { type MicroUsd, microUsd, price } from "../units.ts";
import { shownValueOf } from "./equity.ts";

/** Sums over the open positions, at their marks. */
export interface OpenExposure {
  /** Σ |net value|, in USD. */
  readonly gross: MicroUsd;
  /** Σ net value, in which a short is negative. */
  readonly net: MicroUsd;
}

/**
 * The exposure of the open positions. Null while a position has no price or no rate. A pair that no catalogue knows
 * counts with its value at entry. @rule D9.accountIndex
 */
export function exposureOf(
  { positions }: Pick<AccountState, "positions">,
  market: PricedMarket,
): OpenExposure | null {
  let gross = 0;
  let net = 0;
  for (const position of positions) {
    const value = shownValueOf(position, market);
    if (value === null) return null;
    gross += Math.abs(value.netValue);
    net += value.netValue;
  }
  return { gross: microUsd(gross), net: microUsd(net) };
}

/**
 * The gain of the position when the price of its pair moves by this ratio: 0.05 is 5 % up. Rates to USD stay the same,
 * except for a pair that is converted at its own price. Null while the position has no value, 0 when no catalogue knows
 * its pair.
 */
export function gainOfMove(
  position: Position,
  move: number,
  market: PricedMarket,
): MicroUsd | null {
  const before = shownValueOf(position, market);
  const after = shownValueOf(position, movedMarket(position.pair, move, market));
  if (before === null || after === null) return null;
  return microUsd(after.unrealizedPnl - before.unrealizedPnl);
}

/**
 * The market after the price of one pair has moved. No other quote moves, so the rate to USD of a cross stays the same:
 * that rate never comes from the cross itself.
 */
function movedMarket(moved: PairId, move: number, market: PricedMarket): PricedMarket {
  const quotes: Quotes = {
    get(pair) {
      const quote = market.quotes.get(pair);
      return quote !== undefined && pair === moved ? movedQuote(quote, 1 + move) : quote;
    },
  };
  return { instruments: market.instruments, quotes };
}

function movedQuote(quote: Quote, times: number): Quote {
  return { ...quote, bid: price(quote.bid * times), ask: price(quote.ask * times) };
}
