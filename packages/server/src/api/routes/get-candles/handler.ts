import { type CandleOptions, candleAnswers } from "../../candle-answers.ts";
import { answered, type Handler, rejected } from "../handler.ts";

/** GET candles: a pair's quotes by minute, hour or day. @rule D9.candles */
export function getCandles(options: CandleOptions): Handler {
  const answer = candleAnswers(options);
  return async ({ query }) => {
    const found = await answer(query);
    return found.ok ? answered(found.items) : rejected("invalidCandles", found.message);
  };
}
