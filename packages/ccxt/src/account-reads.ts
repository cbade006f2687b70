import type { Linked, PositionItem, TradeItem } from "@propgate/contract";
import type { Balances, Dict, Position } from "ccxt";
import { API_CALLS, callApi } from "./calls.ts";
import type { ExchangeContext } from "./ccxt-module.ts";
import { SETTLE_CURRENCY } from "./markets.ts";

/**
 * The account's money in ccxt's structure. `total` is the balance without open PnL, `free` the unused margin; `info`
 * has the service's answer with the equity.
 */
export async function fetchBalance(desk: ExchangeContext): Promise<Balances> {
  const { exchange } = desk;
  await exchange.loadMarkets();
  const info = await callApi(desk, API_CALLS.account);
  const { currentBalance, availableMargin } = info.account;
  const timestamp = info.meta.generatedAtMs;
  return exchange.safeBalance({
    info,
    timestamp,
    datetime: exchange.iso8601(timestamp),
    [SETTLE_CURRENCY]: { total: currentBalance ?? undefined, free: availableMargin ?? undefined },
  });
}

/** The open positions of these symbols, or of all. */
export async function fetchPositions(
  desk: ExchangeContext,
  symbols: readonly string[] | undefined,
): Promise<Position[]> {
  const { exchange } = desk;
  await exchange.loadMarkets();
  const wanted = exchange.marketSymbols(symbols === undefined ? undefined : [...symbols]);
  const positions = (await callApi(desk, API_CALLS.positions)).map((one) => positionOf(desk, one));
  return exchange.filterByArrayPositions(positions, "symbol", wanted, false);
}

/** The position of one pair. When none is open it has 0 contracts. */
export async function fetchPosition(desk: ExchangeContext, symbol: string): Promise<Position> {
  const { exchange } = desk;
  await exchange.loadMarkets();
  const market = exchange.market(symbol);
  const [position] = await fetchPositions(desk, [market.symbol]);
  return (
    position ??
    exchange.safePosition({
      ...UNKNOWN_POSITION_FIELDS,
      info: {},
      symbol: market.symbol,
      ...FLAT_POSITION_FIELDS,
    })
  );
}

const FLAT_POSITION_FIELDS = {
  contracts: 0,
  notional: 0,
  unrealizedPnl: 0,
  side: undefined,
} as const;

/**
 * Values for the fields of a position that the service does not send, because an account has one margin for all
 * positions.
 */
const UNKNOWN_POSITION_FIELDS = {
  collateral: undefined,
  initialMargin: undefined,
  initialMarginPercentage: undefined,
  lastPrice: undefined,
  lastUpdateTimestamp: undefined,
  leverage: undefined,
  liquidationPrice: undefined,
  maintenanceMargin: undefined,
  maintenanceMarginPercentage: undefined,
  marginRatio: undefined,
  markPrice: undefined,
  percentage: undefined,
  marginMode: "cross",
  hedged: false,
} as const;

function positionOf({ exchange }: ExchangeContext, item: PositionItem<Linked>): Position {
  const position: Dict = {
    ...UNKNOWN_POSITION_FIELDS,
    info: item,
    id: item.positionUuid,
    leverage: magnitude(item.netLeverage),
    markPrice: markPriceOf(item),
    symbol: exchange.safeString(exchange.safeMarket(item.tradePair), "symbol"),
    timestamp: item.openMs,
    datetime: exchange.iso8601(item.openMs),
    side: sideOf(item.positionType),
    contracts: magnitude(item.netQuantity),
    entryPrice: item.averageEntryPrice ?? undefined,
    notional: magnitude(item.netValue),
    unrealizedPnl: item.unrealizedPnl ?? undefined,
    realizedPnl: item.realizedPnl ?? undefined,
    stopLossPrice: item.stopLoss ?? undefined,
    takeProfitPrice: item.takeProfit ?? undefined,
  };
  return exchange.safePosition(position);
}

/**
 * The mark price of a position, which the API does not send. Value and unrealized PnL have the same mark and the same
 * rate to USD, so their difference is the value at the entry price. Undefined when a figure is unknown.
 */
function markPriceOf(item: PositionItem<Linked>): number | undefined {
  const { averageEntryPrice, netValue, unrealizedPnl } = item;
  if (averageEntryPrice === null || netValue === null || unrealizedPnl === null) return undefined;
  const entryValue = netValue - unrealizedPnl;
  if (entryValue === 0) return undefined;
  const DIGITS = 10;
  return Number(((averageEntryPrice * netValue) / entryValue).toPrecision(DIGITS));
}

/** Closed trades as past positions. This view of ccxt is the only one that has all figures of a trade. */
export async function fetchPositionsHistory(
  desk: ExchangeContext,
  symbols: readonly string[] | undefined,
): Promise<Position[]> {
  const { exchange } = desk;
  await exchange.loadMarkets();
  const wanted = exchange.marketSymbols(symbols === undefined ? undefined : [...symbols]);
  const positions = (await callApi(desk, API_CALLS.trades)).map((one) =>
    closedPositionOf(desk, one),
  );
  return exchange.filterByArrayPositions(positions.toReversed(), "symbol", wanted, false);
}

function closedPositionOf({ exchange }: ExchangeContext, item: TradeItem<Linked>): Position {
  const position: Dict = {
    ...UNKNOWN_POSITION_FIELDS,
    info: item,
    id: item.id,
    symbol: exchange.safeString(exchange.safeMarket(item.tradePair), "symbol"),
    timestamp: item.openTimeMs,
    datetime: exchange.iso8601(item.openTimeMs),
    lastUpdateTimestamp: item.closeTimeMs,
    side: sideOf(item.positionType),
    contracts: magnitude(item.quantity),
    entryPrice: item.entryPriceNumeric ?? undefined,
    lastPrice: item.closePriceNumeric ?? undefined,
    notional: item.positionSizeNumeric ?? undefined,
    unrealizedPnl: 0,
    realizedPnl: item.realizedPnl ?? undefined,
    stopLossPrice: item.stopLoss ?? undefined,
    takeProfitPrice: item.takeProfit ?? undefined,
  };
  return exchange.safePosition(position);
}

function sideOf(direction: "LONG" | "SHORT"): "long" | "short" {
  return direction === "LONG" ? "long" : "short";
}

/** The size without its sign; undefined when it is unknown. */
function magnitude(signed: number | null): number | undefined {
  return signed === null ? undefined : Math.abs(signed);
}
