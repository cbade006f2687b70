import type { FlattenResult, OrderResult, StayReasonWord } from "@propgate/contract";

/** The result of FLAT_ALL for the pages. */
export function flattenView({ closed, stayed, message }: OrderResult): FlattenResult {
  return {
    closed: (closed ?? []).map(({ tradePair }) => tradePair),
    stayed: (stayed ?? []).map(({ tradePair, reason }) => ({
      pair: tradePair,
      why: STAY_REASONS[reason],
    })),
    message,
  };
}

/** Why a position stays open, as the end of a sentence. */
const STAY_REASONS: Readonly<Record<StayReasonWord, string>> = {
  marketClosed: "its market is closed",
  staleQuote: "it has no fresh quote",
  noConversionRate: "there is no price yet to convert its currency to USD",
  unknownPair: "it is not a known pair",
  notReported: "the network did not report why",
};
