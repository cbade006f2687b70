import type { CandleItem } from "@propgate/contract";
import { type CandleAnswerOptions, createCandleAnswers, fittingTexts } from "@propgate/wire";
import { fittingItems } from "../fitting-page.ts";
import { type Answered, type Handler, rejectWith } from "../handler.ts";

/** GET candles: a pair's quotes as candles of one length, from a minute to a day. @rule D9.candles D13.answerBytes */
export function getCandles(options: CandleAnswerOptions): Handler {
  const answer = createCandleAnswers(options);
  return async ({ query }) => {
    const found = await answer(query);
    if (!found.ok) return rejectWith("invalidCandles", found.message);
    return found.isAfter
      ? fittingItems(found, ({ startMs }) => startMs)
      : newestAnswer(found.items);
  };
}

/** The newest candles that fit into one answer. A client reads earlier ones with `after`. */
async function newestAnswer(items: readonly CandleItem[]): Promise<Answered> {
  const { texts } = await fittingTexts(items.toReversed().map((item) => [item]));
  return { ok: true, json: `[${texts.toReversed().join(",")}]`, ignored: [], next: null };
}
