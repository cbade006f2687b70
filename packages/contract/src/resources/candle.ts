import { boolean, count, number, object, type Schema, time, type Wire } from "../schema.ts";

const PRICES = object("The four prices of one interval.", {
  open: number("The first price of the interval."),
  high: number("The highest price of the interval."),
  low: number("The lowest price of the interval."),
  close: number("The last price of the interval."),
});
/** The four prices of one side of a candle. */
export type CandlePrices = Wire<typeof PRICES>;

const prices = (description: string): Schema<CandlePrices> => ({
  json: { ...PRICES.json, description },
});

/** Item of GET candles: the prices of the pair's quotes in one interval. Additive. */
export const CANDLE = object(
  "The prices of one interval, from its start up to but not including its end. An interval without quotes has no candle.",
  {
    startMs: time("Start of the interval: whole minutes, hours or days of UTC."),
    bid: prices("The prices of sales, before slippage."),
    ask: prices("The prices of purchases, before slippage."),
    mid: prices("The prices halfway between bid and ask, for each quote."),
    quoteCount: count("Quotes in the interval, at least 1."),
    isComplete: boolean("False for the running interval, whose candle still changes."),
  },
);
export type CandleItem = Wire<typeof CANDLE>;
