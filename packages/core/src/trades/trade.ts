import type { PairId, PositionUuid } from "../ids.ts";
import type { BracketLeg, Direction } from "../orders/order.ts";
import { stopLevel } from "../positions/bracket-leg.ts";
import type { Position } from "../positions/position.ts";
import {
  type Leverage,
  leverageOf,
  type MicroUsd,
  type Price,
  price,
  type Quantity,
  type Ratio,
  ratio,
  type UnixMs,
} from "../units.ts";

/** A position that has been closed. @rule S2.4 */
export interface Trade {
  readonly id: PositionUuid;
  readonly pair: PairId;
  /** Of its first fill. */
  readonly direction: Direction;
  /** Everything opened over its life, adds included; a magnitude. */
  readonly quantity: Quantity;
  readonly averageEntryPrice: Price;
  /** Weighted by quantity over its reductions. */
  readonly averageExitPrice: Price;
  /** Σ value of the fills in its direction. */
  readonly cumulativeEntryValue: MicroUsd;
  /** That value over the balance when it closed; 0 where nothing was left of that. */
  readonly leverage: Leverage;
  /** Before fees. */
  readonly realizedPnl: MicroUsd;
  readonly fees: MicroUsd;
  /** Multiplier on the account size: 1.0123 is +1.23 %. */
  readonly returnAtClose: Ratio;
  readonly openedAtMs: UnixMs;
  readonly closedAtMs: UnixMs;
  /** Of the legs that stood when it closed; null without any. */
  readonly stopLoss: Price | null;
  readonly takeProfit: Price | null;
  readonly status: "closed" | "liquidated";
}

export interface Closing {
  /** With nothing left in it. */
  readonly position: Position;
  /** The legs that stood before the fill that closed it. */
  readonly legs: readonly BracketLeg[];
  /** After that fill. */
  readonly balance: MicroUsd;
  readonly accountSize: MicroUsd;
  readonly atMs: UnixMs;
  readonly status: Trade["status"];
}

/** The history of a position whose last quantity is gone. @rule S2.4 D4.returns */
export function closedTrade(closing: Closing): Trade {
  const { position, legs } = closing;
  return {
    id: position.uuid,
    pair: position.pair,
    direction: position.direction,
    quantity: position.openedQuantity,
    averageEntryPrice: position.averageEntryPrice,
    averageExitPrice: price(position.exitPriceQuantity / position.exitQuantity),
    cumulativeEntryValue: position.cumulativeEntryValue,
    leverage: leverageOf(position.cumulativeEntryValue, closing.balance),
    realizedPnl: position.realizedPnl,
    fees: position.fees,
    returnAtClose: ratio(1 + position.realizedPnl / closing.accountSize),
    openedAtMs: position.openedAtMs,
    closedAtMs: closing.atMs,
    stopLoss: nearest(legs.map(stopLevel), position.direction === "long"),
    takeProfit: nearest(
      legs.map((leg) => leg.takeProfit),
      position.direction === "short",
    ),
    status: closing.status,
  };
}

/** Of several levels the one the market would reach first. */
function nearest(levels: readonly (Price | null)[], highest: boolean): Price | null {
  const set = levels.filter((level) => level !== null);
  if (set.length === 0) return null;
  return price(highest ? Math.max(...set) : Math.min(...set));
}
