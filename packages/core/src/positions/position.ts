import type { PairId, PositionUuid } from "../ids.ts";
import type { Direction } from "../orders/order.ts";
import type { MicroUsd, Price, Quantity, UnixMs } from "../units.ts";

/** What is open on one pair. It only ever has one direction: an opposite order reduces it. */
export interface Position {
  readonly uuid: PositionUuid;
  readonly pair: PairId;
  readonly direction: Direction;
  /** Open now, a magnitude. */
  readonly quantity: Quantity;
  /** Weighted by quantity over the fills in its direction; a reduction leaves it alone. */
  readonly averageEntryPrice: Price;
  /** USD value at entry of what is open now; falls in proportion when the position is reduced. */
  readonly entryValue: MicroUsd;
  /** Σ value of every fill in its direction, never reduced. */
  readonly cumulativeEntryValue: MicroUsd;
  /** Σ quantity of every fill in its direction, never reduced. */
  readonly openedQuantity: Quantity;
  /** Of its reductions so far, fees not included. */
  readonly realizedPnl: MicroUsd;
  /** Of all its fills so far. */
  readonly fees: MicroUsd;
  /** Of its reductions so far: Σ price × quantity and Σ quantity, for the average exit price. */
  readonly exitPriceQuantity: number;
  readonly exitQuantity: Quantity;
  readonly openedAtMs: UnixMs;
}
