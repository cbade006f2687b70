import { midOf, type Price, type Quote, unixMs } from "@propgate/core";
import type { Candle, CandlePrices } from "./candle-reader.ts";

/** The candle of a single quote. */
export function candleOf(startMs: number, quote: Quote): Candle {
  return {
    startMs: unixMs(startMs),
    bid: pricesOf(quote.bid),
    ask: pricesOf(quote.ask),
    mid: pricesOf(midOf(quote)),
    count: 1,
  };
}

/**
 * Joins two candles into one with the quotes of both. The quotes of `later` must follow those of `earlier`. The joined
 * candle has the start of `earlier`.
 */
export function joinCandles(earlier: Candle, later: Candle): Candle {
  return {
    startMs: earlier.startMs,
    bid: joinPrices(earlier.bid, later.bid),
    ask: joinPrices(earlier.ask, later.ask),
    mid: joinPrices(earlier.mid, later.mid),
    count: earlier.count + later.count,
  };
}

function pricesOf(price: Price): CandlePrices {
  return { open: price, high: price, low: price, close: price };
}

function joinPrices(earlier: CandlePrices, later: CandlePrices): CandlePrices {
  return {
    open: earlier.open,
    high: later.high > earlier.high ? later.high : earlier.high,
    low: later.low < earlier.low ? later.low : earlier.low,
    close: later.close,
  };
}
