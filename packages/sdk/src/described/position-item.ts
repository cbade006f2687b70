// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";

/** An open position. */
export interface PositionItem<Unsent extends Linked = never> {
  /** Identifies the position; its trade has the same id once it is closed. */
  readonly positionUuid: string;
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** For display, `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** Direction. */
  readonly positionType: "LONG" | "SHORT";
  /** Signed value at the mark as a multiple of the balance. */
  readonly netLeverage: number | Unsent;
  /** Size in the pair's lot unit, negative for SHORT; null when unknown. */
  readonly netQuantity: number | null;
  /**
   * Average entry price of what is open: an addition averages by quantity, and a reduction does not
   * change it.
   */
  readonly averageEntryPrice: number | Unsent;
  /** Multiplier on the account size: 1.0123 is +1.23 %. */
  readonly currentReturn: number | Unsent;
  /** When it was opened. */
  readonly openMs: number;
  /** Unrealized PnL at the mark, USD. */
  readonly unrealizedPnl: number | Unsent;
  /** PnL of its reductions so far, before fees, USD. */
  readonly realizedPnl: number | Unsent;
  /** Signed value at the mark, USD. */
  readonly netValue: number | Unsent;
  /** Value of all fills in its direction, USD. */
  readonly cumulativeEntryValue: number | Unsent;
  /** Stop of its nearest leg; null without a stop. */
  readonly stopLoss: number | null;
  /** Target of its nearest leg; null without a target. */
  readonly takeProfit: number | null;
  /**
   * Additive. The price of this position at which the account's equity is at its highest `live`
   * floor, if all other prices stay the same. Beyond it the account ends: a LONG below it, at the
   * bid, and a SHORT above it, at the ask. Later fees and carry are not included. Null when no
   * price does that.
   */
  readonly breachPriceAlone: number | null;
  /**
   * Additive. True when the price behind its figures is the last known one, too old to fill an
   * order; of a pair that the service no longer knows, the entry price.
   */
  readonly isStale: boolean;
}
