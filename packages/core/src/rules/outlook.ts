/**
 * For each limit the time of the next check, the breach price and the breach move. A limit is a floor of the equity.
 * With exactly one open position the floor corresponds to a price. With any number of positions it corresponds to a
 * common move of their prices. Future fees and carry are not included.
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
import { highestLiveBreachingEquity, LOSS_LIMITS } from "./registry.ts";

/** When a limit is checked next, and the price or move that breaches it. */
export interface LimitOutlook {
  readonly rule: LossRule;
  /**
   * When the limit is checked next. Null for a limit that is checked at every price, and for an account that is not
   * active.
   */
  readonly nextCheckMs: UnixMs | null;
  /**
   * The mark of the only open position at which equity equals the floor: a long breaches below it, a short above. Null
   * without exactly one position, without a rate, or when no price breaches.
   */
  readonly breachPrice: Price | null;
  /**
   * The adverse move of all positions, in percent of each mark, at which equity equals the floor. Null for a limit that
   * is only checked at the day's end, without positions or prices, and when no move breaches.
   */
  readonly breachMovePct: Percent | null;
}

/** The outlook of every limit that binds the account. @rule D4.outlook */
export type DrawdownOutlook = readonly LimitOutlook[];

/**
 * The outlook of every limit in the figures: its next check, and the price and the move that breach it.
 * @rule D4.outlook decides
 */
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
    breachMovePct: breachMoveOf(limit, loss),
  }));
}

/**
 * The mark of the only open position at which equity equals the limit's floor. Null without exactly one position, for a
 * limit that cannot be breached, and when no price brings equity to the floor. @rule D4.outlook
 */
export function breachPriceOf(
  state: AccountState,
  limit: Pick<LimitFigures, "anchor" | "floor">,
  market: PricedMarket,
): Price | null {
  return canBeBreached(limit) ? priceAtEquity(state, limit.floor, market) : null;
}

/**
 * The adverse move of all positions, in percent of each mark, after which the first of the live limits is breached.
 * Null without positions or prices, and when no move breaches one. @rule D12.breachMove
 */
export function firstBreachMovePct(
  state: AccountState,
  equity: MicroUsd,
  market: PricedMarket,
): Percent | null {
  // When equity falls, it reaches the highest floor first.
  const from = highestLiveBreachingEquity(state);
  const loss = from === null ? null : moveLossOf(state.positions, market);
  if (from === null || loss === null) return null;
  return breachMovePct(loss, microUsd(equity - from - 1));
}

/**
 * The adverse move that loses all equity above the floor of a live limit. Null for another limit, for one that cannot
 * be breached, while the loss of a move is unknown, and when no move loses as much. @rule D12.breachMove
 */
function breachMoveOf(limit: LimitFigures, loss: MoveLoss | null): Percent | null {
  const isLive = LOSS_LIMITS[limit.rule].checked === "live";
  if (loss === null || !isLive || !canBeBreached(limit)) return null;
  return breachMovePct(loss, subtractUsd(limit.measured, limit.floor));
}

/**
 * The end of the day in progress, which may be overdue. Null for a live limit, and for an account that is not active.
 */
function nextCheckMs(state: AccountState, rule: LossRule): UnixMs | null {
  if (LOSS_LIMITS[rule].checked === "live" || state.status !== "active") return null;
  return nextUtcMidnight(state.day.startMs);
}

/**
 * The mark of the only open position at which the account has this equity. Null without exactly one position, and when
 * no price brings the account to this equity.
 */
function priceAtEquity(state: AccountState, equity: MicroUsd, market: PricedMarket): Price | null {
  const [position, ...others] = state.positions;
  if (position === undefined || others.length > 0) return null;
  return priceOfPnl(position, subtractUsd(equity, balanceOf(state)), market);
}
