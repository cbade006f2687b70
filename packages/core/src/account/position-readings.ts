import type { PricedMarket } from "../market/valuation.ts";
import type { BracketLeg, RestingOrder } from "../orders/order.ts";
import { stopLevel } from "../positions/bracket-leg.ts";
import type { Position } from "../positions/position.ts";
import { leverageOf, type Price, price, ratio } from "../units.ts";
import type { AccountState } from "./account.ts";
import { balanceOf } from "./balance.ts";
import { positionValueOf } from "./equity.ts";
import type { PositionReading } from "./snapshot.ts";

/** Open positions in the order in which they were opened. @rule S2.2 */
export function positionReadings(
  state: AccountState,
  market: PricedMarket,
): readonly PositionReading[] {
  const balance = balanceOf(state);
  return state.positions.map((position) => {
    const value = positionValueOf(position, market);
    const legs = legsOf(position, state.orders);
    return {
      position,
      mark: value?.mark ?? null,
      unrealizedPnl: value?.unrealizedPnl ?? null,
      netValue: value?.netValue ?? null,
      netLeverage: value === null ? null : leverageOf(value.netValue, balance),
      currentReturn:
        value === null
          ? null
          : ratio(1 + (position.realizedPnl + value.unrealizedPnl) / state.terms.size),
      stopLoss: nearest(legs.map(stopLevel), position.direction === "long" ? "highest" : "lowest"),
      takeProfit: nearest(
        legs.map(({ takeProfit }) => takeProfit),
        position.direction === "long" ? "lowest" : "highest",
      ),
    };
  });
}

function legsOf(position: Position, orders: readonly RestingOrder[]): readonly BracketLeg[] {
  return orders.filter(
    (order): order is BracketLeg =>
      order.kind === "bracket" && order.positionUuid === position.uuid,
  );
}

/** Of several levels the one the market would reach first. @rule D4.nearestLegs */
function nearest(levels: readonly (Price | null)[], which: "highest" | "lowest"): Price | null {
  const known = levels.filter((level) => level !== null);
  if (known.length === 0) return null;
  return price(which === "highest" ? Math.max(...known) : Math.min(...known));
}
