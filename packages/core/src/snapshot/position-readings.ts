import { shownValueOf } from "../account/equity.ts";
import { isFresh } from "../market/trading.ts";
import { nearestLevels, stopLevel } from "../pending/bracket-leg.ts";
import { soloBreachPrices } from "../rules/breach-price.ts";
import type { AccountState } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { Moment } from "../state/moment.ts";
import type { BracketLeg, PendingOrder } from "../state/order.ts";
import type { Position } from "../state/position.ts";
import {
  type Leverage,
  leverageOf,
  type MicroUsd,
  type Price,
  type Ratio,
  ratio,
} from "../units.ts";

/** An open position with its figures at the mark, which are null while the pair has no price or no rate. */
export interface PositionReading {
  readonly position: Position;
  readonly mark: Price | null;
  readonly unrealizedPnl: MicroUsd | null;
  /** The value at the mark; negative for a short. */
  readonly netValue: MicroUsd | null;
  /** `netValue` divided by the balance. */
  readonly netLeverage: Leverage | null;
  /** The return of the position as a ratio, before fees: 1 + (realized + unrealized PnL) / size. */
  readonly currentReturn: Ratio | null;
  /** The stop and the target, each the nearest of the position's legs; null without one. */
  readonly stopLoss: Price | null;
  readonly takeProfit: Price | null;
  /**
   * The mark at which the account breaches a limit if no other mark moves; null when no mark does.
   * @rule D12.breachAlone
   */
  readonly breachPriceAlone: Price | null;
  /**
   * True when the mark is too old to fill an order, when there is no mark, and when no catalogue knows the pair, so
   * that the entry price is the mark. @rule D13.stalePosition
   */
  readonly isStale: boolean;
}

type PricedMoment = Pick<Moment, "now" | "quotes" | "instruments">;

/** The open positions with their figures, in the order of opening. @rule S2.2 */
export function positionReadings(
  state: AccountState,
  moment: PricedMoment,
): readonly PositionReading[] {
  const balance = balanceOf(state);
  const alone = soloBreachPrices(state, moment);
  return state.positions.map((position) => {
    const value = shownValueOf(position, moment);
    const legs = legsOf(position, state.orders);
    return {
      position,
      mark: value?.mark ?? null,
      unrealizedPnl: value?.unrealizedPnl ?? null,
      netValue: value?.netValue ?? null,
      netLeverage: value === null ? null : leverageOf(value.netValue, balance),
      // 1 + (realized + unrealized PnL of the position) / size, before fees. @rule D4.returns decides
      currentReturn:
        value === null
          ? null
          : ratio(1 + (position.realizedPnl + value.unrealizedPnl) / state.terms.size),
      ...nearestLevels(
        legs.map((leg) => ({ stopLoss: stopLevel(leg), takeProfit: leg.takeProfit })),
        position.direction,
      ),
      breachPriceAlone: alone.get(position.uuid) ?? null,
      isStale: isStale(position, moment),
    };
  });
}

/** True without a price that is fresh enough to fill an order. @rule D13.stalePosition decides */
function isStale({ pair }: Position, { now, quotes, instruments }: PricedMoment): boolean {
  const quote = quotes.get(pair);
  const instrument = instruments.get(pair);
  return quote === undefined || instrument === undefined || !isFresh(quote, instrument, now);
}

function legsOf(position: Position, orders: readonly PendingOrder[]): readonly BracketLeg[] {
  return orders.filter(
    (order): order is BracketLeg =>
      order.kind === "bracket" && order.positionUuid === position.uuid,
  );
}
