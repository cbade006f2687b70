import { parseQuotesQuery, unknownPairText } from "@propgate/contract";
import { pairId } from "@propgate/core";
import { quoteViews } from "../../views/quote.ts";
import { type Handler, type HandlerNeeds, outcomeOf, readAt, rejected } from "../handler.ts";

/** GET quotes: the board, or the pairs that are asked for. @rule D9.quotes */
export const getQuotes =
  ({ network, instruments }: Pick<HandlerNeeds, "network" | "instruments">): Handler =>
  async (asked) => {
    const query = parseQuotesQuery(asked.query);
    if (!query.ok) return rejected("invalidPairs", query.message);
    const pairs = query.pairs?.map(pairId) ?? null;
    const unknown = pairs?.find((pair) => !instruments.has(pair));
    if (unknown !== undefined) return rejected("invalidPairs", unknownPairText(unknown));
    const reading = await network.market(readAt(asked));
    return outcomeOf(reading, ({ moment }) => quoteViews(moment, pairs));
  };
