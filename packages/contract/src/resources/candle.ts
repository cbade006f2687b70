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
  "The prices of one interval, including its start and excluding its end. An interval without quotes has no candle.",
  {
    startMs: time("Start of the interval, on a whole minute, hour or day of UTC."),
    bid: prices("Bid prices of the interval. A sale fills at the bid, minus slippage."),
    ask: prices("Ask prices of the interval. A purchase fills at the ask, plus slippage."),
    mid: prices(
      "Mid prices of the interval. The mid of each quote is halfway between its bid and ask.",
    ),
    quoteCount: count("Number of quotes in the interval, at least 1."),
    isComplete: boolean("False for the interval in progress, whose candle can still change."),
  },
);
export type CandleItem = Wire<typeof CANDLE>;
