import type { PairId, PositionUuid } from "../ids.ts";
import type { Leverage, MicroUsd, Price, Quantity, Ratio, UnixMs } from "../units.ts";
import type { Direction } from "./order.ts";

/** A position that has been closed. @rule S2.4 */
export interface Trade {
  readonly id: PositionUuid;
  readonly pair: PairId;
  /** Direction of its first fill. */
  readonly direction: Direction;
  /** All quantity that was opened, adds included; absolute. */
  readonly quantity: Quantity;
  readonly averageEntryPrice: Price;
  /** Weighted by quantity over its reductions. */
  readonly averageExitPrice: Price;
  /** Σ value of the fills in its direction. */
  readonly cumulativeEntryValue: MicroUsd;
  /** `cumulativeEntryValue` over the balance before its first fill. @rule D10.tradeLeverage */
  readonly leverage: Leverage;
  /** Before fees. */
  readonly realizedPnl: MicroUsd;
  readonly fees: MicroUsd;
  /** Multiplier on the account size: 1.0123 is +1.23 %. */
  readonly returnAtClose: Ratio;
  readonly openedAtMs: UnixMs;
  readonly closedAtMs: UnixMs;
  /** Nearest levels of the legs that were pending when it closed; null without legs. */
  readonly stopLoss: Price | null;
  readonly takeProfit: Price | null;
  readonly status: "closed" | "liquidated";
}
