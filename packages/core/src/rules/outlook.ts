/**
 * The next check, the breach price and the breach move of each limit. A limit is an equity; with exactly one open
 * position that equity is a price, and with any number it is a move of their prices. Future fees and carry are not
 * included.
 */

import type { PricedMarket } from "../market/valuation.ts";
import type { AccountState, LossRule } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import { nextUtcMidnight } from "../time/utc-day.ts";
import {
  type MicroUsd,
  microUsd,
  type Percent,
  type Price,
  subtractUsd,
  type UnixMs,
} from "../units.ts";
import { breachMovePct, type MoveLoss, moveLossOf } from "./breach-move.ts";
import { priceOfPnl } from "./breach-price.ts";
import { canBeBreached, type DrawdownFigures, type LimitFigures } from "./limit.ts";
import { LOSS_LIMITS, liveBreachFrom } from "./registry.ts";

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
  /**
   * The adverse move of all positions, in percent of each mark, at which equity equals the floor. Null for a limit that
   * is only checked at the day's end, and when no move breaches.
   */
  readonly breachMovePct: Percent | null;
}

/** The outlook of every limit that binds the account. @rule D4.outlook */
export type DrawdownOutlook = readonly LimitOutlook[];

/** @rule D4.outlook decides */
export function drawdownOutlook(
  state: AccountState,
  { limits }: DrawdownFigures,
  market: PricedMarket,
): DrawdownOutlook {
  const loss = moveLossOf(state.positions, market);
  return limits.map((limit) => ({
    rule: limit.rule,
    nextCheckMs: nextCheckMs(state, limit.rule),
    breachPrice: breachPriceOf(state, limit, market),
    breachMovePct: moveOf(limit, loss),
  }));
}

/** The mark of the only open position at which equity equals the limit's floor. @rule D4.outlook */
export function breachPriceOf(
  state: AccountState,
  limit: Pick<LimitFigures, "anchor" | "floor">,
  market: PricedMarket,
): Price | null {
  return canBeBreached(limit) ? priceAtEquity(state, limit.floor, market) : null;
}

/**
 * The adverse move of all positions, in percent of each mark, after which the first of the limits that are checked at
 * every price is breached. Null when no such move breaches one. @rule D12.breachMove
 */
export function firstBreachMovePct(
  state: AccountState,
  equity: MicroUsd,
  market: PricedMarket,
): Percent | null {
  // The highest floor is reached first.
  const from = liveBreachFrom(state);
  const loss = from === null ? null : moveLossOf(state.positions, market);
  if (from === null || loss === null) return null;
  return breachMovePct(loss, microUsd(equity - from - 1));
}

/** @rule D12.breachMove */
function moveOf(limit: LimitFigures, loss: MoveLoss | null): Percent | null {
  const isLive = LOSS_LIMITS[limit.rule].checked === "live";
  if (loss === null || !isLive || !canBeBreached(limit)) return null;
  return breachMovePct(loss, subtractUsd(limit.measured, limit.floor));
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
  return priceOfPnl(position, subtractUsd(equity, balanceOf(state)), market);
}
