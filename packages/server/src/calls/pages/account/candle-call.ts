import type { CandlesView } from "@propgate/contract";
import { type CandleAnswerOptions, createCandleAnswers } from "@propgate/wire";
import { okReply, refusedReply } from "../../json/json-reply.ts";
import type { PageRoute } from "../page-call.ts";

/** GET candles: the same answer as the signed API's to the same query. @rule D9.candles */
export function candleCall(options: CandleAnswerOptions): PageRoute {
  const answer = createCandleAnswers(options);
  return {
    name: "candles",
    method: "GET",
    path: "/candles",
    audited: false,
    async handle({ query }) {
      const given = Object.entries(query).map(([name, value]) => [name, [value]] as const);
      const found = await answer(new Map(given));
      if (!found.ok) return refusedReply(found.message, 400);
      const view: CandlesView = found.items;
      return okReply(view);
    },
  };
}
