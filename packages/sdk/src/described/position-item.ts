// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";

/** An open position. */
export interface PositionItem<Unsent extends Linked = never> {
  /** The id of the position; its closed trade has this id too. */
  readonly positionUuid: string;
  /** Pair identifier, such as `BTCUSD`. */
  readonly tradePair: string;
  /** Pair for display, such as `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** Direction. */
  readonly positionType: "LONG" | "SHORT";
  /** Position value at the mark price as a multiple of the balance; negative for SHORT. */
  readonly netLeverage: number | Unsent;
  /** Position size in the pair's lot unit, negative for SHORT; null when unknown. */
  readonly netQuantity: number | null;
  /**
   * Average entry price of the open quantity. An addition changes it by quantity; a reduction does
   * not change it.
   */
  readonly averageEntryPrice: number | Unsent;
  /**
   * 1 plus the realized and unrealized PnL of the position before fees, divided by the account
   * size: 1.0123 is +1.23 %.
   */
  readonly currentReturn: number | Unsent;
  /** When the position was opened. */
  readonly openMs: number;
  /** Unrealized PnL at the mark price, USD; negative for a loss. */
  readonly unrealizedPnl: number | Unsent;
  /** PnL that reductions of the position have realized, before fees, USD; negative for a loss. */
  readonly realizedPnl: number | Unsent;
  /** Position value at the mark price, USD; negative for SHORT. */
  readonly netValue: number | Unsent;
  /** Value of all fills that opened or added to the position, USD. */
  readonly cumulativeEntryValue: number | Unsent;
  /** Stop-loss price; of several legs the nearest one; null without one. */
  readonly stopLoss: number | null;
  /** Take-profit price; of several legs the nearest one; null without one. */
  readonly takeProfit: number | null;
  /**
   * The mark price of this position at which equity equals the highest floor of a `live` limit, if
   * all other prices stay unchanged. The account ends at a bid below it for a LONG, and at an ask
   * above it for a SHORT. Future fees and holding costs are not included. Null when no price ends
   * the account.
   */
  readonly breachPriceAlone: number | null;
  /**
   * True when the figures use a price that cannot fill an order now. It is the last known price, or
   * the entry price for a pair that the service no longer knows.
   */
  readonly isStale: boolean;
}
