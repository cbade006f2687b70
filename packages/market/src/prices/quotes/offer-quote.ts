import type { Quote } from "@propgate/core";
import { isRecorded } from "../port.ts";
import type { QuoteIntake } from "./quote-intake.ts";

/** Offers a quote of a source that runs on the service's own time: it arrives when it is made. */
export function offerQuote(intake: QuoteIntake, source: string, quote: Quote): void {
  const { atMs } = quote;
  if (isRecorded(quote)) intake.offer(quote, "tape");
  else intake.offer({ ...quote, source, madeAtMs: atMs, receivedAtMs: atMs }, "feed");
}
