/**
 * The mark of one position at which the account has a certain equity, while the other marks and all rates stay the
 * same.
 */

import { equityOf, positionValueOf } from "../account/equity.ts";
import type { PositionUuid } from "../ids.ts";
import type { Instrument } from "../market/instrument.ts";
import { baseUnits } from "../market/lot-unit.ts";
import { gainUsd, isOwnRate, type PricedMarket, usdRateAt } from "../market/valuation.ts";
import type { AccountState } from "../state/account.ts";
import type { Position } from "../state/position.ts";
import { dollars, type MicroUsd, microUsd, type Price, price, subtractUsd } from "../units.ts";
import { highestLiveBreachingEquity } from "./registry.ts";

/**
 * Gives for each open position the mark at which equity equals the highest floor of the limits that are checked at
 * every price, while all other prices stay. Below that mark a long breaches, above it a short. A position is absent
 * when no price of its pair brings equity to that floor. The map is empty for an account that is not active or has no
 * such floor, and while a price or rate is missing. @rule D12.breachAlone decides
 */
export function soloBreachPrices(
  state: AccountState,
  market: PricedMarket,
): ReadonlyMap<PositionUuid, Price> {
  const prices = new Map<PositionUuid, Price>();
  const equity = equityOf(state, market);
  const breachFrom = state.status === "active" ? highestLiveBreachingEquity(state) : null;
  if (!equity.ok || breachFrom === null) return prices;
  const spare = microUsd(equity.value - breachFrom - 1);
  for (const position of state.positions) {
    const value = positionValueOf(position, market);
    if (value === null) continue;
    const at = priceOfPnl(position, subtractUsd(value.unrealizedPnl, spare), market);
    if (at !== null) prices.set(position.uuid, at);
  }
  return prices;
}

/**
 * The price at which the position has this PnL. Null when no positive price gives it, when the catalogue does not have
 * the pair, or while the conversion rate is missing. @rule D4.outlook
 */
export function priceOfPnl(position: Position, pnl: MicroUsd, market: PricedMarket): Price | null {
  const instrument = market.instruments.get(position.pair);
  if (instrument === undefined) return null;
  const priced = { position, instrument, market };
  const exact = exactPriceOf(priced, pnl);
  return exact === null ? null : roundPrice(exact, priced);
}

interface PricedPosition {
  readonly position: Position;
  readonly instrument: Instrument;
  readonly market: PricedMarket;
}

/**
 * The inverse of `gainUsd`: the price for a PnL. A pair with USD as its base converts at that price itself: from entry
 * e to p a unit earns 1 − e / p, so p = e / (1 − gain). A cross converts at the present rate.
 */
function exactPriceOf(
  { position, instrument, market }: PricedPosition,
  pnl: MicroUsd,
): Price | null {
  const { averageEntryPrice: entry, quantity, direction } = position;
  const gain = dollars(pnl) / baseUnits(instrument, quantity);
  const perUnit = direction === "long" ? gain : -gain;
  if (isOwnRate(instrument)) return priceOrNull(entry / (1 - perUnit));
  const usdRate = usdRateAt(instrument, entry, market);
  return usdRate === null ? null : priceOrNull(entry + perUnit / usdRate);
}

function priceOrNull(value: number): Price | null {
  return Number.isFinite(value) && value > 0 ? price(value) : null;
}

const READABLE_DIGITS = 12;

/** Rounds a price to twelve digits when the PnL stays the same: 79063.6 instead of 79063.60000000001. */
function roundPrice(exact: Price, { position, instrument, market }: PricedPosition): Price {
  const { quantity, averageEntryPrice: from } = position;
  const gainAt = (at: Price): MicroUsd | null => {
    const usdRate = usdRateAt(instrument, at, market);
    return usdRate === null ? null : gainUsd(instrument, { quantity, from, price: at, usdRate });
  };
  const readable = price(Number(exact.toPrecision(READABLE_DIGITS)));
  return gainAt(readable) === gainAt(exact) ? readable : exact;
}
