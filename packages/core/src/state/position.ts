import type { PairId, PositionUuid } from "../ids.ts";
import type { MicroUsd, Price, Quantity, UnixMs } from "../units.ts";
import type { Direction } from "./order.ts";

/** The open position on one pair. It keeps its direction, because an order in the other direction only reduces it. */
export interface Position {
  readonly uuid: PositionUuid;
  readonly pair: PairId;
  readonly direction: Direction;
  /** The open quantity, without a sign. */
  readonly quantity: Quantity;
  /** The average entry price of the open quantity, weighted by quantity; a reduction does not change it. */
  readonly averageEntryPrice: Price;
  /** USD value of the open quantity at entry; falls in proportion when the position is reduced. */
  readonly entryValue: MicroUsd;
  /** Σ USD value of every fill in its direction; a reduction does not change it. */
  readonly cumulativeEntryValue: MicroUsd;
  /** Σ quantity of every fill in its direction; a reduction does not change it. */
  readonly openedQuantity: Quantity;
  /** The average price of every fill in its direction, weighted by quantity; the entry price of its trade. */
  readonly openedPrice: Price;
  /** The profit that the reductions of the position have realized so far, before fees. */
  readonly realizedPnl: MicroUsd;
  /** The fees of all fills of the position so far, with its carry and dividends. */
  readonly fees: MicroUsd;
  /** Σ price × quantity of its reductions; divided by `exitQuantity` it is the average exit price. */
  readonly exitPriceQuantity: number;
  readonly exitQuantity: Quantity;
  readonly openedAtMs: UnixMs;
  /** The account's balance before the first fill; the trade's leverage is a multiple of it. */
  readonly openingBalance: MicroUsd;
}
