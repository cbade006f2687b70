import type { Quote } from "@propgate/core";
import { isRecorded } from "../port.ts";
import type { OfferKind, QuoteIntake, QuoteVerdict } from "./quote-intake.ts";

/**
 * Offers a quote of a source that runs on the service's own time, where a quote is received when it is made. A recorded
 * quote keeps its times, and is offered as one that an earlier feed has accepted.
 */
export function offerQuote(
  intake: QuoteIntake,
  quote: Quote,
  { source, as = "feed" }: { readonly source: string; readonly as?: OfferKind },
): QuoteVerdict {
  if (isRecorded(quote)) return intake.offer(quote, "tape");
  const { pair, bid, ask, atMs } = quote;
  return intake.offer({ source, pair, bid, ask, madeAtMs: atMs, receivedAtMs: atMs }, as);
}
