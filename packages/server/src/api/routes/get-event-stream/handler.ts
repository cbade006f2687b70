import {
  ADDITIVE_ENDPOINTS,
  parseEventStreamQuery,
  unknownStreamPairText,
} from "@propgate/contract";
import { createPairFinder } from "@propgate/core";
import { coreEventTypesOf, cursorProblemText } from "@propgate/wire";
import { type AnyHandler, type HandlerOptions, rejectWith } from "../handler.ts";

/**
 * GET events/stream: events as they happen, and quotes of the requested pairs.
 * @rule D9.stream D9.streamQuotes D9.streamPlaces
 */
export function getEventStream({
  eventStreams,
  instruments,
}: Pick<HandlerOptions, "eventStreams" | "instruments">): AnyHandler {
  const pairOf = createPairFinder(instruments);
  return async ({ accountId, account, keyId, keyInUse, query, untilOver, isStopping }) => {
    const parsed = parseEventStreamQuery(query);
    if (!parsed.ok) return rejectWith("invalidEvents", parsed.message);
    const { after, hasProof, everyMs } = parsed;
    if (account.network === "vanta" && parsed.pairs.length > 0) {
      return rejectWith(
        "invalidEvents",
        `'quotes': ${ADDITIVE_ENDPOINTS.getQuotes.notAtValidators}`,
      );
    }
    const pairs = [...new Set(parsed.pairs.map(pairOf))];
    const unknown = pairs.find((pair) => !instruments.has(pair));
    if (unknown !== undefined) return rejectWith("invalidEvents", unknownStreamPairText(unknown));
    const opened = await eventStreams.open({
      accountId,
      keyId,
      keyInUse,
      after,
      types: parsed.types === null ? null : coreEventTypesOf(parsed.types),
      hasProof,
      pairs,
      everyMs,
      untilOver,
      isStopping,
    });
    if (opened.ok) return opened;
    const { problem } = opened;
    if (problem.kind === "full") return rejectWith("tooManyStreams");
    return rejectWith("invalidEvents", cursorProblemText(problem));
  };
}
