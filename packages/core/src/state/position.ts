import type { PairId, PositionUuid } from "../ids.ts";
import type { MicroUsd, Price, Quantity, UnixMs } from "../units.ts";
import type { Direction } from "./order.ts";

/** The open position on one pair. It keeps its direction: an opposite order reduces it. */
export interface Position {
  readonly uuid: PositionUuid;
  readonly pair: PairId;
  readonly direction: Direction;
  /** Open now; absolute. */
  readonly quantity: Quantity;
  /** Weighted by quantity over the fills in its direction; a reduction does not change it. */
  readonly averageEntryPrice: Price;
  /** USD value at entry of the open quantity; falls in proportion when the position is reduced. */
  readonly entryValue: MicroUsd;
  /** Σ value of every fill in its direction, never reduced. */
  readonly cumulativeEntryValue: MicroUsd;
  /** Σ quantity of every fill in its direction, never reduced. */
  readonly openedQuantity: Quantity;
  /** From its reductions so far, before fees. */
  readonly realizedPnl: MicroUsd;
  /** From all its fills so far. */
  readonly fees: MicroUsd;
  /** Σ price × quantity and Σ quantity of its reductions, for the average exit price. */
  readonly exitPriceQuantity: number;
  readonly exitQuantity: Quantity;
  readonly openedAtMs: UnixMs;
  /** The account's balance before its first fill; the trade's leverage is a multiple of it. */
  readonly openingBalance: MicroUsd;
}
