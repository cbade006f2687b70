import { parseQuotesQuery, unknownPairText } from "@propgate/contract";
import { createPairFinder } from "@propgate/core";
import { mapReading, quoteViews } from "@propgate/wire";
import {
  type Handler,
  type HandlerOptions,
  minimumReadAt,
  readingOutcome,
  rejectWith,
} from "../handler.ts";

/** GET quotes: the newest quotes, of all pairs or of the requested ones. @rule D9.quotes */
export function getQuotes({
  embedded,
  instruments,
}: Pick<HandlerOptions, "embedded" | "instruments">): Handler {
  const pairOf = createPairFinder(instruments);
  return async (input) => {
    const query = parseQuotesQuery(input.query);
    if (!query.ok) return rejectWith("invalidPairs", query.message);
    const pairs = query.pairs === null ? null : [...new Set(query.pairs.map(pairOf))];
    const unknown = pairs?.find((pair) => !instruments.has(pair));
    if (unknown !== undefined) return rejectWith("invalidPairs", unknownPairText(unknown));
    const reading = await embedded.market(minimumReadAt(input));
    return readingOutcome(
      mapReading(reading, ({ moment }) => quoteViews(moment, pairs)),
      input,
    );
  };
}
