/** Values in USD. An unknown rate to USD is null, never 1. */
import { type PairId, pairId } from "../ids.ts";
import { type MicroUsd, type Price, type Quantity, roundUsd } from "../units.ts";
import type { Instrument, Instruments } from "./instrument.ts";
import { baseUnits } from "./lot-unit.ts";
import { midOf } from "./mark.ts";
import type { Quotes } from "./quote.ts";

/** The quotes and instruments from which a value is computed. */
export interface PricedMarket {
  readonly quotes: Quotes;
  readonly instruments: Instruments;
}

/** A quantity at a price, with the rate to USD at that price. */
export interface PricedQuantity {
  readonly quantity: Quantity;
  readonly price: Price;
  /** USD for one unit of the quote currency. */
  readonly usdRate: number;
}

/**
 * The value of a quantity at a price, in USD: 0.5 lots of XAUUSD at 2,000 are 100,000. It has the sign of the quantity.
 */
export function notionalUsd(
  instrument: Pick<Instrument, "lotSize">,
  holding: PricedQuantity,
): MicroUsd {
  return roundUsd(baseUnits(instrument, holding.quantity) * holding.price * holding.usdRate);
}

/** The gain of a long quantity when the price moves from `from` to `price`, in USD; negate it for a short one. */
export function gainUsd(
  instrument: Pick<Instrument, "lotSize">,
  move: PricedQuantity & { readonly from: Price },
): MicroUsd {
  const worth = baseUnits(instrument, move.quantity) * move.usdRate;
  const largest = Math.max(move.price, move.from) * worth;
  return roundUsd((move.price - move.from) * worth, largest);
}

/**
 * USD for one unit of the pair's quote currency when the pair's price is `at`; null while the rate is unknown. The rate
 * is 1 for a pair priced in USD, or in a currency that counts as USD. A pair with USD as its base converts at its own
 * price, so a lot of USDJPY is always worth 100,000. Any other pair converts at the mid of its quote currency against
 * USD.
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

/** True for a pair that converts at its own price, because USD is its base. @rule D4.pnlRate */
export function isOwnRate(instrument: Pick<Instrument, "base" | "quote" | "quoteIsUsd">): boolean {
  return instrument.base === USD && !isPricedInUsd(instrument);
}

/** Whether the pair's prices count as USD: its quote currency is USD or counts as USD. @rule D6.quoteIsUsd decides */
function isPricedInUsd({ quote, quoteIsUsd }: Pick<Instrument, "quote" | "quoteIsUsd">): boolean {
  return quote === USD || quoteIsUsd;
}

/**
 * The pairs whose quotes may convert the instrument's prices to USD; empty when no other pair is needed.
 * @rule D4.pnlRate
 */
export function ratePairs(
  instrument: Pick<Instrument, "base" | "quote" | "quoteIsUsd">,
): readonly PairId[] {
  if (isPricedInUsd(instrument) || isOwnRate(instrument)) return [];
  const { quote } = instrument;
  return [pairId(quote + USD), pairId(USD + quote)];
}

/**
 * USD for one unit of a currency at the mid of its pair with USD. Null while that pair has no quote, or is not in the
 * catalogue.
 */
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
