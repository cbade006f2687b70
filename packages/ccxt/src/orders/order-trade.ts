import {
  type ExecutionType,
  fieldsOfKind,
  type Linked,
  type OrderFieldName,
  type OrderTrade,
  type PositionItem,
  type UncheckedTrade,
} from "@propgate/contract";
import { readOrder } from "@propgate/sdk";
import { API_CALLS, callApi } from "../calls.ts";
import { ccxtError, type ExchangeContext } from "../ccxt-module.ts";
import { type OrderArguments, type ParsedArguments, pairOf, paramsOf } from "./order-params.ts";

/** The `trade` of POST orders for a bot's order. It reads the positions when the order closes one. */
export async function orderTrade(
  desk: ExchangeContext,
  given: OrderArguments,
  parsed: ParsedArguments,
): Promise<OrderTrade> {
  const { fields } = parsed;
  if (LEG_PARAMS.some((name) => given.params[name] !== undefined)) {
    if (
      parsed.type === "limit" ||
      ATTACHED_LEG_PARAMS.some((name) => given.params[name] !== undefined)
    ) {
      throw ccxtError(
        desk,
        "NotSupported",
        "a stop or target on a position is a market order without another trigger: it closes at the market",
      );
    }
    return legTrade(desk, given.symbol, parsed);
  }
  if (fields.reduce_only === true) return reducingTrade(desk, given, parsed);
  if (fields.quantity === undefined && fields.value === undefined && !("leverage" in fields)) {
    throw ccxtError(desk, "ArgumentsRequired", "createOrder() needs amount");
  }
  if (parsed.type === "market") return tradeOf(desk, "MARKET", parsed);
  if (fields.stop_price === undefined) return tradeOf(desk, "LIMIT", parsed);
  // Without a condition of the bot, a stop buys a rising price and sells a falling one.
  const stop_condition = parsed.side === "buy" ? "GTE" : "LTE";
  return tradeOf(desk, "STOP_LIMIT", { ...parsed, fields: { stop_condition, ...fields } });
}

/** Parameters of a stop or target for the open position. */
const LEG_PARAMS = ["stopLossPrice", "takeProfitPrice", "trailingAmount", "trailingPercent"];
/** Parameters of a stop or target that is attached to the entry. */
const ATTACHED_LEG_PARAMS = ["stopLoss", "takeProfit"];

/** A `trade` of this kind with the bot's fields. Throws NotSupported for a field that the kind does not have. */
function tradeOf(
  desk: ExchangeContext,
  kind: ExecutionType,
  { fields }: ParsedArguments,
): OrderTrade {
  const ofKind = fieldsOfKind(kind);
  const misplaced = Object.keys(fields).find((name) => !ofKind.has(name)) as
    | OrderFieldName
    | undefined;
  if (misplaced !== undefined) {
    throw ccxtError(
      desk,
      "NotSupported",
      `a ${kind} order does not take ${paramsOf(misplaced)}; a trigger price takes a limit order with a price`,
    );
  }
  return checkTrade(desk, { execution_type: kind, ...fields });
}

/** The checked `trade`. Throws InvalidOrder with the text that the service would answer. */
export function checkTrade(desk: ExchangeContext, trade: UncheckedTrade): OrderTrade {
  const read = readOrder({ trade });
  if ("problem" in read) throw ccxtError(desk, "InvalidOrder", read.problem);
  return read.order.trade;
}

/**
 * The `trade` of an order that must not open a position. A limit order becomes a target of the position and is
 * cancelled when the position closes. A market order that is larger than the position closes the position and nothing
 * more. An order without a size becomes FLAT, which closes the whole position.
 */
async function reducingTrade(
  desk: ExchangeContext,
  { symbol, params }: OrderArguments,
  parsed: ParsedArguments,
): Promise<OrderTrade> {
  const invalid = (text: string): Error => ccxtError(desk, "InvalidOrder", `reduceOnly: ${text}`);
  const { stop_price, limit_price, quantity, value, leverage } = parsed.fields;
  if (stop_price !== undefined) throw invalid("use stopLossPrice or takeProfitPrice instead");
  if (ATTACHED_LEG_PARAMS.some((name) => params[name] !== undefined)) {
    throw invalid("a closing order cannot have a stop or a target attached");
  }
  const isOtherSize = value !== undefined || leverage !== undefined;
  if (parsed.type === "limit") {
    if (isOtherSize) throw invalid("give amount instead of another size");
    if (limit_price === undefined) throw invalid("a limit order needs a price");
    const { limit_price: take_profit, ...rest } = { ...parsed.fields, limit_price };
    return legTrade(desk, symbol, { ...parsed, fields: { ...rest, take_profit } });
  }
  if (quantity !== undefined || isOtherSize) return tradeOf(desk, "MARKET", parsed);
  const { tradePair: trade_pair } = await positionToClose(desk, symbol, parsed);
  return { execution_type: "MARKET", trade_pair, order_type: "FLAT" };
}

/** The `trade` that attaches a stop, target or trailing stop to the position that the order would close. */
async function legTrade(
  desk: ExchangeContext,
  symbol: string,
  parsed: ParsedArguments,
): Promise<OrderTrade> {
  await positionToClose(desk, symbol, parsed);
  // A leg has its position's direction and always reduces, so these fields are left out.
  const { order_type: _, reduce_only: __, ...fields } = parsed.fields;
  return tradeOf(desk, "BRACKET", { ...parsed, fields });
}

/** The open position that an order of this pair and side would close. Throws InvalidOrder when there is none. */
async function positionToClose(
  desk: ExchangeContext,
  symbol: string,
  { side }: ParsedArguments,
): Promise<PositionItem<Linked>> {
  const pair = pairOf(desk, symbol);
  const positions = await callApi(desk, API_CALLS.positions);
  const position = positions.find((one) => one.tradePair === pair);
  if (position === undefined) {
    throw ccxtError(desk, "InvalidOrder", `there is no open position in ${symbol} to close`);
  }
  if ((position.positionType === "LONG") === (side === "sell")) return position;
  const held = position.positionType;
  throw ccxtError(
    desk,
    "InvalidOrder",
    `'${side}' does not close the ${held} position in ${symbol}`,
  );
}
