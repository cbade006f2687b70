/**
 * Where the account's limits lie ahead of it. A limit is known as an equity; with one position open
 * that equity is one price. Fees and carry that are still to come are in neither.
 */
import type { AccountState } from "../account/account.ts";
import { balanceOf } from "../account/balance.ts";
import type {
  DrawdownFigures,
  DrawdownOutlook,
  LimitFigures,
  LimitOutlook,
} from "../account/snapshot.ts";
import type { Instrument } from "../market/instrument.ts";
import { baseUnits } from "../market/lot-unit.ts";
import { gainUsd, type PricedMarket, usdRateAt } from "../market/valuation.ts";
import type { Position } from "../positions/position.ts";
import { nextUtcMidnight } from "../time/utc-day.ts";
import { dollars, type MicroUsd, type Price, price, subtractUsd, type UnixMs } from "../units.ts";
import { WHEN_CHECKED } from "./limit.ts";

/** @rule D4.outlook */
export function drawdownOutlook(
  state: AccountState,
  { dailyLoss, maxLoss }: DrawdownFigures,
  market: PricedMarket,
): DrawdownOutlook {
  const outlook = (limit: LimitFigures): LimitOutlook => ({
    nextCheckMs: nextCheckMs(state, limit.rule),
    breachPrice: priceAtEquity(state, limit.floor, market),
  });
  return { dailyLoss: outlook(dailyLoss), maxLoss: outlook(maxLoss) };
}

/** The end of the day that is running, also when it is past and not made up yet. */
function nextCheckMs(state: AccountState, rule: LimitFigures["rule"]): UnixMs | null {
  if (WHEN_CHECKED[rule] === "live" || state.status !== "active") return null;
  return nextUtcMidnight(state.day.startMs);
}

/** The mark of the one open position with which the account has this equity. */
function priceAtEquity(state: AccountState, equity: MicroUsd, market: PricedMarket): Price | null {
  const [position, ...others] = state.positions;
  if (position === undefined || others.length > 0) return null;
  const instrument = market.instruments.get(position.pair);
  if (instrument === undefined) return null;
  const pnl = subtractUsd(equity, balanceOf(state));
  const exact = priceOfPnl({ position, instrument, pnl, market });
  return exact === null ? null : withoutNoise(exact, { position, instrument, market });
}

interface Standing {
  readonly position: Position;
  readonly instrument: Instrument;
  readonly market: PricedMarket;
}

/**
 * The opposite of `gainUsd`. A pair that buys dollars converts at the very price that is looked
 * for: from entry e to p a unit earns 1 − e / p, so that p is e / (1 − gain). A cross converts at
 * the rate of now.
 */
function priceOfPnl(asked: Standing & { readonly pnl: MicroUsd }): Price | null {
  const { position, instrument, pnl, market } = asked;
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

/** 79063.6 for 79063.60000000001, wherever both come to the same micro dollar. */
function withoutNoise(exact: Price, { position, instrument, market }: Standing): Price {
  const { quantity, averageEntryPrice: from } = position;
  const gainAt = (at: Price): MicroUsd | null => {
    const usdRate = usdRateAt(instrument, at, market);
    return usdRate === null ? null : gainUsd(instrument, { quantity, from, price: at, usdRate });
  };
  const readable = price(Number(exact.toPrecision(READABLE_DIGITS)));
  return gainAt(readable) === gainAt(exact) ? readable : exact;
}
