import type { ExecutionType, OrderTypeWord, StopCondition } from "@propgate/contract";

/** Exactly one of the three on MARKET, LIMIT and STOP_LIMIT. @rule S4.2.sizing */
export interface OrderSizing {
  /** A multiple of the balance. */
  readonly leverage?: number;
  /** USD. */
  readonly value?: number;
  /** In the pair's lot unit. */
  readonly quantity?: number;
}

export interface BracketLegRequest extends OrderSizing {
  readonly stop_loss?: number;
  readonly take_profit?: number;
  /** A fraction, 0 < x < 1. */
  readonly trailing_percent?: number;
  /** In price units. */
  readonly trailing_value?: number;
  /** A share of the open position, 0 < x ≤ 1. */
  readonly bracket_pct?: number;
}

/** The body of POST orders. What a kind of order does not read, the service ignores. @rule S4.2.fields */
export interface OrderRequest {
  /** Never needed; another than the key's account is refused. */
  readonly accountId?: string;
  readonly trade: OrderSizing & {
    readonly execution_type: ExecutionType;
    /** `BTCUSD` or `BTC/USD`. */
    readonly trade_pair?: string;
    readonly order_type?: OrderTypeWord;
    readonly limit_price?: number;
    readonly stop_price?: number;
    readonly stop_condition?: StopCondition;
    readonly stop_loss?: number;
    readonly take_profit?: number;
    readonly trailing_stop?:
      | { readonly trailing_percent: number }
      | { readonly trailing_value: number };
    readonly bracket_orders?: readonly BracketLegRequest[];
    /** LIMIT_CANCEL: ids, comma-separated, or `ALL`. LIMIT_EDIT: one. FLAT_ALL: positions, or none. */
    readonly order_uuid?: string;
  };
}
