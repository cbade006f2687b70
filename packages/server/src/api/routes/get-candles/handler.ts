import type { CandleItem } from "@propgate/contract";
import { wireJson } from "../../../base/wire-json.ts";
import { type CandleOptions, type CandlesFound, candleAnswers } from "../../candle-answers.ts";
import { fittingList } from "../../fitting-list.ts";
import { type Answered, type Handler, rejected } from "../handler.ts";

/** GET candles: a pair's quotes by minute, hour or day. @rule D9.candles D13.answerBytes */
export function getCandles(options: CandleOptions): Handler {
  const answer = candleAnswers(options);
  return async ({ query }) => {
    const found = await answer(query);
    if (!found.ok) return rejected("invalidCandles", found.message);
    return found.isAfter ? pageAnswer(found) : newestAnswer(found.items);
  };
}

function pageAnswer({ items, hasMore }: Extract<CandlesFound, { ok: true }>): Answered {
  const { json, count } = fittingList(items.map((item) => [item]));
  const isWhole = count === items.length && !hasMore;
  const next = isWhole ? null : (items[count - 1]?.startMs ?? null);
  return { ok: true, json, ignored: [], next };
}

/** The newest ones that fit; earlier ones are read by `after`. */
function newestAnswer(items: readonly CandleItem[]): Answered {
  const { count } = fittingList(items.toReversed().map((item) => [item]));
  const shown = items.slice(items.length - count);
  return { ok: true, json: wireJson(shown), ignored: [], next: null };
}
