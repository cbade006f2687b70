import type { Clock } from "@propgate/base";
import { type Instruments, type Quote, unixMs } from "@propgate/core";
import { createPushIntake, type PushForm } from "./push-intake.ts";
import { createPushTally, type PushAnswer } from "./push-tally.ts";
import { pushablePairs } from "./pushed-quote.ts";

/** Reads whole bodies of pushed quotes, for a caller that passes the quotes to the market itself. */
export interface PushReader {
  /**
   * Reads one body. Returns the answer for its client and the valid quotes in their order. `atMs` of a quote is its own
   * time, or the time of the clock when it has none or a later one.
   */
  read(
    form: PushForm,
    body: string,
  ): { readonly answer: PushAnswer; readonly quotes: readonly Quote[] };
}

/** Creates a reader for every pair of the catalogue. The sequence of a pair continues from one body to the next. */
export function createPushReader({
  instruments,
  clock,
}: {
  readonly instruments: Instruments;
  readonly clock: Clock;
}): PushReader {
  let quotes: Quote[] = [];
  const intake = createPushIntake({
    source: "push",
    pairs: pushablePairs(instruments),
    clock,
    sink: {
      offer(offered) {
        const { madeAtMs, receivedAtMs } = offered;
        const atMs = unixMs(Math.min(madeAtMs ?? receivedAtMs, receivedAtMs));
        // A quote keeps its times, so that the market finds quotes that are late or from the future.
        quotes.push({ ...offered, atMs });
      },
    },
  });
  return {
    read(form, body) {
      quotes = [];
      const tally = createPushTally();
      const texts = intake.read(form, tally);
      texts.write(Buffer.from(body));
      texts.end();
      return { answer: tally.answer(), quotes };
    },
  };
}
