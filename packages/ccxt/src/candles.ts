import {
  CANDLE_INTERVALS,
  type CandleInterval,
  type CandleItem,
  isTimeMs,
  LIMITS,
  timeProblem,
} from "@propgate/contract";
import type { OHLCV } from "ccxt";
import { API_CALLS, callApiPage, repeatedPageError } from "./calls.ts";
import { ccxtError, type ExchangeContext } from "./ccxt-module.ts";

/** The arguments of ccxt's `fetchOHLCV`, unchanged. */
export interface CandleArguments {
  readonly symbol: string;
  readonly timeframe: string;
  /** The earliest start of the first candle; undefined for the newest candles. */
  readonly sinceMs: number | undefined;
  readonly limit: number | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

/** ccxt's `timeframes`, each with its word in the API. */
export const TIMEFRAMES: Readonly<Record<CandleInterval, CandleInterval>> = {
  "1m": "1m",
  "5m": "5m",
  "15m": "15m",
  "1h": "1h",
  "1d": "1d",
};

const SIDES = ["mid", "bid", "ask"] as const;

/**
 * Candles as ccxt has them, oldest first. They have mid prices unless `params.price` is `bid` or `ask`. The volume is
 * undefined, because quotes have none. ccxt's `since` is inclusive; the API's `after` is not. A page may have fewer
 * candles than its limit, so the candles since a time are read over several pages.
 */
export async function fetchOHLCV(desk: ExchangeContext, given: CandleArguments): Promise<OHLCV[]> {
  const { symbol, sinceMs, limit } = given;
  const interval = CANDLE_INTERVALS.find((one) => one === given.timeframe);
  if (interval === undefined) {
    const words = CANDLE_INTERVALS.join(", ");
    throw ccxtError(desk, "NotSupported", `timeframe '${given.timeframe}' is not one of ${words}`);
  }
  const side = sideOf(desk, given.params);
  await desk.exchange.loadMarkets();
  const tradePair = desk.exchange.market(symbol).id;
  const count = Math.min(limit ?? LIMITS.candlesLimitDefault, LIMITS.candlesLimitMax);
  const candles: CandleItem[] = [];
  let after = sinceMs === undefined ? undefined : afterOf(desk, sinceMs);
  do {
    const from = after === undefined ? {} : { after };
    const params = { tradePair, interval, limit: count - candles.length, ...from };
    const { data, next } = await callApiPage(desk, API_CALLS.candles, { params });
    candles.push(...data);
    if (next !== null && next === after) throw repeatedPageError(desk, next);
    after = typeof next === "number" ? next : undefined;
  } while (after !== undefined && candles.length < count);
  return candles.map((candle) => rowOf(candle, side));
}

/**
 * The API's `after` for ccxt's `since`. `after` is exclusive, so it is one millisecond less; 0 when that would be
 * before the earliest valid time.
 */
function afterOf(desk: ExchangeContext, sinceMs: number): number {
  if (sinceMs <= 1) return 0;
  const problem = timeProblem(sinceMs, String(sinceMs));
  if (problem !== null) throw ccxtError(desk, "BadRequest", `since ${problem}`);
  return isTimeMs(sinceMs - 1) ? sinceMs - 1 : 0;
}

function sideOf(
  desk: ExchangeContext,
  params: Readonly<Record<string, unknown>>,
): (typeof SIDES)[number] {
  const { price = "mid", ...others } = params;
  const [unknown] = Object.keys(others).filter((name) => others[name] !== undefined);
  if (unknown !== undefined) {
    throw ccxtError(desk, "NotSupported", `fetchOHLCV() does not support params.${unknown}`);
  }
  const side = SIDES.find((one) => one === price);
  if (side !== undefined) return side;
  throw ccxtError(desk, "NotSupported", `params.price can only be ${SIDES.join(", ")}`);
}

function rowOf(candle: CandleItem, side: (typeof SIDES)[number]): OHLCV {
  const { open, high, low, close } = candle[side];
  return [candle.startMs, open, high, low, close, undefined];
}
