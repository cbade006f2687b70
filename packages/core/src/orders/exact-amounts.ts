/**
 * Money is exact only up to 2^53 micro dollars. A mistyped price with a few digits too many leads to larger amounts. So
 * an order is refused when the account's figures would not be exact at one of its prices.
 */

import type { PairId } from "../ids.ts";
import type { Instrument } from "../market/instrument.ts";
import { baseUnits } from "../market/lot-unit.ts";
import { markOf } from "../market/mark.ts";
import type { Quote } from "../market/quote.ts";
import { type PricedMarket, usdRateAt } from "../market/valuation.ts";
import type { Draft } from "../state/draft.ts";
import type { Moment } from "../state/moment.ts";
import type { Direction, LegRequest } from "../state/order.ts";
import type { NamedPrice, Refusal } from "../state/refusal.ts";
import type { Size } from "../state/requested-size.ts";
import {
  dollars,
  type MicroUsd,
  microUsd,
  type Price,
  price,
  type Quantity,
  quantity,
  roundToTwelveDigits,
} from "../units.ts";
import { sizeOnGrid } from "./sizing.ts";

/**
 * The largest amount that may follow from an order: half of the exact range, so that the sum of two such amounts is
 * exact. @rule D10.exactMoney
 */
export const EXACT_AMOUNT_MAX: MicroUsd = microUsd(2 ** 52);

/** The quantity that an order would add, and the price of its entry. */
export interface AddedAmount {
  readonly quantity: Quantity;
  readonly price: Price;
}

/**
 * The refusal of the first price of an order at which an amount of the account would be too large to be exact; null
 * when all amounts are exact. `adds` is what the order would add; null when it adds no quantity.
 * @rule D10.exactMoney decides
 */
export function amountsRefusal(
  draft: Draft,
  instrument: Instrument,
  named: { readonly prices: readonly NamedPrice[]; readonly adds: AddedAmount | null },
): Refusal | null {
  if (named.prices.length === 0) return null;
  const { moment } = draft;
  for (const one of named.prices) {
    const market = withPairPrice(moment, instrument.id, one.price);
    const amount = largestAmountAt(draft, market, { instrument, adds: named.adds });
    if (amount > dollars(EXACT_AMOUNT_MAX)) return { code: "amountTooLarge", ...one };
  }
  return null;
}

/**
 * The prices of legs. A trailing stop counts only for a short with a distance in units of the price: as the price above
 * `from` at which it starts.
 */
export function legPrices(
  legs: readonly LegRequest[],
  at: { readonly direction: Direction; readonly from: Price },
): readonly NamedPrice[] {
  return legs.flatMap(({ stopLoss, takeProfit, trailing }, leg): readonly NamedPrice[] => {
    // The trailing stop of a short starts above the price. The trailing stop of a long starts below the price, so it
    // cannot be too large.
    const isAbove = trailing?.kind === "value" && at.direction === "short";
    const trailed = isAbove ? price(roundToTwelveDigits(at.from + trailing.value)) : null;
    return [
      ...(stopLoss === null ? [] : [{ field: "stopLoss", leg, price: stopLoss } as const]),
      ...(takeProfit === null ? [] : [{ field: "takeProfit", leg, price: takeProfit } as const]),
      ...(trailed === null ? [] : [{ field: "trailing", leg, price: trailed } as const]),
    ];
  });
}

/**
 * The largest quantity that an entry can add at its price, with that price: its size on the grid, but no more than the
 * portfolio cap allows. Null without a rate to USD, and for a size that rounds to zero.
 */
export function maxAddedAmount(
  draft: Draft,
  instrument: Instrument,
  entry: { readonly size: Size; readonly price: Price },
): AddedAmount | null {
  const usdRate = usdRateAt(instrument, entry.price, draft.moment);
  if (usdRate === null) return null;
  const sized = sizeOnGrid(draft, { ...entry, instrument, usdRate });
  if (!sized.ok) return null;
  const maxUsd = draft.state.terms.portfolioCap * Math.max(0, dollars(draft.balance));
  const worth = baseUnits(instrument, sized.value) * entry.price * usdRate;
  const share = worth > maxUsd ? maxUsd / worth : 1;
  return { price: entry.price, quantity: quantity(Math.ceil(sized.value * share)) };
}

interface ValuedPosition {
  readonly instrument: Instrument;
  readonly quantity: Quantity;
  readonly entry: Price;
  readonly price: Price;
}

/**
 * The largest of the account's figures in that market, in dollars: the value of all open positions and the added
 * quantity, or the portfolio cap times the balance with the profit of all of them. A loss counts as a profit. The
 * result is not rounded and may be infinite. Never throws.
 */
function largestAmountAt(
  draft: Draft,
  market: PricedMarket,
  { instrument, adds }: { readonly instrument: Instrument; readonly adds: AddedAmount | null },
): number {
  const holdings: ValuedPosition[] = draft.state.positions.flatMap((position) => {
    const known = market.instruments.get(position.pair);
    const quote = market.quotes.get(position.pair);
    if (known === undefined || quote === undefined) return [];
    const { quantity: size, averageEntryPrice: entry, direction } = position;
    return [{ instrument: known, quantity: size, entry, price: markOf(direction, quote) }];
  });
  const quote = market.quotes.get(instrument.id);
  if (adds !== null && quote !== undefined) {
    holdings.push({ instrument, quantity: adds.quantity, entry: adds.price, price: quote.bid });
  }
  let [value, profit] = [0, Math.abs(dollars(draft.balance))];
  for (const held of holdings) {
    // Without a rate the position cannot be valued and does not count.
    const rate = usdRateAt(held.instrument, held.price, market) ?? 0;
    const units = baseUnits(held.instrument, held.quantity) * rate;
    value += units * held.price;
    profit += units * Math.abs(held.price - held.entry);
  }
  return Math.max(value, profit * draft.state.terms.portfolioCap);
}

/** The moment with this price for one pair, as bid and ask. All other prices stay. */
export function withPairPrice(moment: Moment, pair: PairId, at: Price): Moment {
  const quote = quoteAt(moment, pair, at);
  return {
    ...moment,
    quotes: { get: (other) => (other === pair ? quote : moment.quotes.get(other)) },
  };
}

function quoteAt({ now: atMs }: Moment, pair: PairId, at: Price): Quote {
  return { pair, bid: at, ask: at, atMs };
}
