import type { PairId, PositionUuid } from "../ids.ts";
import type { Leverage, MicroUsd, Price, Quantity, Ratio, UnixMs } from "../units.ts";
import type { Direction } from "./order.ts";

/** A position that has been closed. @rule S2.4 */
export interface Trade {
  readonly id: PositionUuid;
  readonly pair: PairId;
  /** The direction of the first fill. */
  readonly direction: Direction;
  /** The whole quantity that was opened, additions included, without a sign. */
  readonly quantity: Quantity;
  /** The average price of the fills in its direction, weighted by quantity. */
  readonly averageEntryPrice: Price;
  /** The average price of its reductions, weighted by quantity. */
  readonly averageExitPrice: Price;
  /** Σ USD value of the fills in its direction. */
  readonly cumulativeEntryValue: MicroUsd;
  /** `cumulativeEntryValue` divided by the balance before the first fill. @rule D10.tradeLeverage */
  readonly leverage: Leverage;
  /** The realized profit before fees. */
  readonly realizedPnl: MicroUsd;
  readonly fees: MicroUsd;
  /** 1 + (realized PnL before fees / account size): 1.0123 is +1.23 %. */
  readonly returnAtClose: Ratio;
  readonly openedAtMs: UnixMs;
  readonly closedAtMs: UnixMs;
  /**
   * The stop and the target: each is the nearest among the legs that were pending when the position closed; null when
   * no leg had one.
   */
  readonly stopLoss: Price | null;
  readonly takeProfit: Price | null;
  readonly status: "closed" | "liquidated";
}
