import type { PairId, PositionUuid } from "../ids.ts";
import type { Direction } from "../orders/order.ts";
import type { Leverage, MicroUsd, Price, Quantity, Ratio, UnixMs } from "../units.ts";

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
  /** That value over the balance when it closed. */
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
