/**
 * The next check and the breach price of each limit. A limit is an equity; with exactly one open
 * position that equity is a price. Future fees and carry are not included.
 */

import type { Instrument } from "../market/instrument.ts";
import { baseUnits } from "../market/lot-unit.ts";
import { gainUsd, type PricedMarket, usdRateAt } from "../market/valuation.ts";
import type { AccountState, LossRule } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { Position } from "../state/position.ts";
import { nextUtcMidnight } from "../time/utc-day.ts";
import { dollars, type MicroUsd, type Price, price, subtractUsd, type UnixMs } from "../units.ts";
import type { DrawdownFigures } from "./limit.ts";
import { LOSS_LIMITS } from "./registry.ts";

/** When a limit is next checked, and the price that breaches it. */
export interface LimitOutlook {
  readonly rule: LossRule;
  /** Null when it is checked at every price, or never because the account has ended. */
  readonly nextCheckMs: UnixMs | null;
  /**
   * The mark of the only open position at which equity equals the floor: a long breaches below it, a
   * short above. Null without exactly one position, or when no price breaches.
   */
  readonly breachPrice: Price | null;
}

/** The outlook of every limit that binds the account. @rule D4.outlook */
export type DrawdownOutlook = readonly LimitOutlook[];

/** @rule D4.outlook */
export function drawdownOutlook(
  state: AccountState,
  { limits }: DrawdownFigures,
  market: PricedMarket,
): DrawdownOutlook {
  return limits.map(({ rule, floor }) => ({
    rule,
    nextCheckMs: nextCheckMs(state, rule),
    breachPrice: priceAtEquity(state, floor, market),
  }));
}

/** The end of the day in progress, which may be overdue. Null for a limit that is checked at every price. */
function nextCheckMs(state: AccountState, rule: LossRule): UnixMs | null {
  if (LOSS_LIMITS[rule].checked === "live" || state.status !== "active") return null;
  return nextUtcMidnight(state.day.startMs);
}

/** The mark of the only open position at which the account has this equity. */
function priceAtEquity(state: AccountState, equity: MicroUsd, market: PricedMarket): Price | null {
  const [position, ...others] = state.positions;
  if (position === undefined || others.length > 0) return null;
  const instrument = market.instruments.get(position.pair);
  if (instrument === undefined) return null;
  const pnl = subtractUsd(equity, balanceOf(state));
  const exact = priceOfPnl({ position, instrument, pnl, market });
  return exact === null ? null : withoutNoise(exact, { position, instrument, market });
}

interface PricedPosition {
  readonly position: Position;
  readonly instrument: Instrument;
  readonly market: PricedMarket;
}

/**
 * The price at which the position has this PnL: the inverse of `gainUsd`. A pair with USD as its base converts
 * at that price: from entry e to p a unit earns 1 − e / p, so p = e / (1 − gain). A cross converts at the present
 * rate. Null when no positive price gives the PnL.
 */
function priceOfPnl(target: PricedPosition & { readonly pnl: MicroUsd }): Price | null {
  const { position, instrument, pnl, market } = target;
  const { averageEntryPrice: entry, quantity, direction } = position;
  const gain = dollars(pnl) / baseUnits(instrument, quantity);
  const perUnit = direction === "long" ? gain : -gain;
  if (instrument.base === "USD") return priceOrNull(entry / (1 - perUnit));
  const usdRate = usdRateAt(instrument, entry, market);
  return usdRate === null ? null : priceOrNull(entry + perUnit / usdRate);
}

function priceOrNull(value: number): Price | null {
  return Number.isFinite(value) && value > 0 ? price(value) : null;
}

const READABLE_DIGITS = 12;

/** Returns 79063.6 for 79063.60000000001 when both give the same micro dollar. */
function withoutNoise(exact: Price, { position, instrument, market }: PricedPosition): Price {
  const { quantity, averageEntryPrice: from } = position;
  const gainAt = (at: Price): MicroUsd | null => {
    const usdRate = usdRateAt(instrument, at, market);
    return usdRate === null ? null : gainUsd(instrument, { quantity, from, price: at, usdRate });
  };
  const readable = price(Number(exact.toPrecision(READABLE_DIGITS)));
  return gainAt(readable) === gainAt(exact) ? readable : exact;
}
