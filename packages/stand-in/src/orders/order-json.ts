import { instrumentOf } from "../network/instruments.ts";
import type { LegRequest, NetworkState, Order, Trailing } from "../network/state.ts";
import { type PythonValue, pythonRepr } from "../python-repr.ts";

/** The `order_json` of an order: the full record as the repr of a Python dict. */
export function orderJson({ sourceName }: NetworkState, order: Order): string {
  return pythonRepr({
    trade_pair_id: order.pair,
    trade_pair: [order.pair, instrumentOf(order.pair)?.display ?? order.pair],
    order_type: order.type,
    leverage: order.leverage,
    value: order.value,
    quantity: order.quantity,
    price: order.price,
    bid: order.bid,
    ask: order.ask,
    slippage: 0,
    quote_usd_rate: order.quoteUsdRate,
    usd_base_rate: order.usdBaseRate,
    processed_ms: BigInt(order.processedMs),
    price_sources:
      order.price === 0 ? [] : [{ source: sourceName, bid: order.bid, ask: order.ask }],
    order_uuid: order.uuid,
    src: BigInt(order.src),
    execution_type: order.executionType,
    realized_pnl: order.realizedPnl,
    limit_price: order.limitPrice,
    stop_loss: order.stopLoss,
    take_profit: order.takeProfit,
    margin_loan: order.marginLoan,
    trailing_stop: trailingValue(order.trailing),
    bracket_orders: order.legs.length === 0 ? null : order.legs.map(legValue),
    stop_price: order.stopPrice,
    stop_condition: order.stopCondition,
    bracket_pct: order.bracketPct,
    ...(order.bindingCap === null ? {} : { binding_cap: order.bindingCap }),
  });
}

function trailingValue(trailing: Trailing | null): PythonValue {
  if (trailing === null) return null;
  return "percent" in trailing
    ? { trailing_percent: trailing.percent }
    : { trailing_value: trailing.value };
}

function legValue(leg: LegRequest): PythonValue {
  const { trailing, size } = leg;
  return {
    ...(leg.uuid === null ? {} : { order_uuid: leg.uuid }),
    stop_loss: leg.stopLoss,
    take_profit: leg.takeProfit,
    trailing_percent: trailing !== null && "percent" in trailing ? trailing.percent : null,
    trailing_value: trailing !== null && "value" in trailing ? trailing.value : null,
    ...(size === null ? {} : { [sizeKey(size.kind)]: size.amount }),
  };
}

function sizeKey(kind: string): string {
  return kind === "bracketPct" ? "bracket_pct" : kind;
}
