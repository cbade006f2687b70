/** Values in USD. An unknown rate is null, never 1. */
import { type PairId, pairId } from "../ids.ts";
import { type MicroUsd, type Price, type Quantity, roundUsd } from "../units.ts";
import type { Instrument, Instruments } from "./instrument.ts";
import { baseUnits } from "./lot-unit.ts";
import { midOf } from "./mark.ts";
import type { Quotes } from "./quote.ts";

/** The quotes and instruments that a value depends on. */
export interface PricedMarket {
  readonly quotes: Quotes;
  readonly instruments: Instruments;
}

export interface Holding {
  readonly quantity: Quantity;
  readonly price: Price;
  /** USD for one unit of the quote currency. */
  readonly usdRate: number;
}

/** The value of a size at a price: 0.5 lot XAUUSD at 2,000 is 100,000. Signed as the quantity is. */
export function notionalUsd(instrument: Pick<Instrument, "lotSize">, holding: Holding): MicroUsd {
  return roundUsd(baseUnits(instrument, holding.quantity) * holding.price * holding.usdRate);
}

/** Gain of a bought size from a move of the price; negate it for a sold size. */
export function gainUsd(
  instrument: Pick<Instrument, "lotSize">,
  move: Holding & { readonly from: Price },
): MicroUsd {
  const worth = baseUnits(instrument, move.quantity) * move.usdRate;
  const largest = Math.max(move.price, move.from) * worth;
  return roundUsd((move.price - move.from) * worth, largest);
}

/**
 * USD for one unit of the pair's quote currency when the pair's price is `at`. A pair priced in USD, or
 * in a currency that counts as USD, has 1. A pair with USD as its base converts at its own price, so a lot of USDJPY is
 * always worth 100,000. A cross converts at the mid of its quote currency.
 * @rule D4.pnlRate decides
 */
export function usdRateAt(
  instrument: Pick<Instrument, "base" | "quote" | "quoteIsUsd">,
  at: Price,
  market: PricedMarket,
): number | null {
  if (isOwnRate(instrument)) return 1 / at;
  return isPricedInUsd(instrument) ? 1 : usdRate(instrument.quote, market);
}

/** True for a pair that converts at its own price: USD is its base. @rule D4.pnlRate */
export function isOwnRate(instrument: Pick<Instrument, "base" | "quote" | "quoteIsUsd">): boolean {
  return instrument.base === USD && !isPricedInUsd(instrument);
}

/** @rule D6.quoteIsUsd decides */
function isPricedInUsd({ quote, quoteIsUsd }: Pick<Instrument, "quote" | "quoteIsUsd">): boolean {
  return quote === USD || quoteIsUsd;
}

/** The pairs whose quotes may convert the instrument's prices to USD. @rule D4.pnlRate */
export function ratePairs(
  instrument: Pick<Instrument, "base" | "quote" | "quoteIsUsd">,
): readonly PairId[] {
  if (isPricedInUsd(instrument) || isOwnRate(instrument)) return [];
  const { quote } = instrument;
  return [pairId(quote + USD), pairId(USD + quote)];
}

/** USD for one unit of a currency at the mid of its pair with USD; null while that has no quote. */
export function usdRate(currency: string, market: PricedMarket): number | null {
  if (currency === USD) return 1;
  const direct = midOfPair(currency, USD, market);
  if (direct !== null) return direct;
  const inverse = midOfPair(USD, currency, market);
  return inverse === null ? null : 1 / inverse;
}

const USD = "USD";

function midOfPair(base: string, quote: string, market: PricedMarket): number | null {
  const pair = pairId(base + quote);
  const instrument = market.instruments.get(pair);
  if (instrument?.base !== base || instrument.quote !== quote) return null;
  const newest = market.quotes.get(pair);
  return newest === undefined ? null : midOf(newest);
}
