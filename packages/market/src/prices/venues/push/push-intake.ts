import type { Clock } from "@propgate/base";
import type { PairId } from "@propgate/core";
import type { LiveSink } from "../live-source.ts";
import { createJsonSplitter } from "./json-splitter.ts";
import type { PushProblem } from "./push-problem.ts";
import type { QuoteResults } from "./push-tally.ts";
import { type PushablePairs, parsePushedQuote } from "./pushed-quote.ts";
import {
  createNdjsonSplitter,
  QUOTE_BYTES_MAX,
  type QuoteTextSplitter,
  skipByteOrderMark,
} from "./quote-text-splitter.ts";

/** The form of a body: JSON, or one JSON object in each line. */
export type PushForm = "json" | "ndjson";

/**
 * Takes the quotes of all clients. Several clients may send quotes of one pair; the quotes are taken in the order of
 * arrival.
 */
export interface PushIntake {
  /** Makes a reader of one body. It offers the valid quotes, and counts the result of each quote in `counts`. */
  read(form: PushForm, counts: QuoteResults): QuoteTextSplitter;
}

/**
 * When no quote of a pair with a sequence was taken for this long, a restarted client may count the pair's sequence
 * from the beginning.
 */
const SEQUENCE_KEPT_MS = 10_000;

const TOO_LONG: PushProblem = {
  reason: "tooLong",
  field: null,
  message: `a quote must have at most ${QUOTE_BYTES_MAX} bytes`,
};
const TORN: PushProblem = {
  reason: "notJson",
  field: null,
  message: "the body must be one quote or a complete array of quotes",
};
const OUT_OF_SEQUENCE: PushProblem = {
  reason: "outOfSequence",
  field: "sequence",
  message: "sequence must be above the pair's last one",
};

export function createPushIntake(options: {
  readonly source: string;
  readonly pairs: PushablePairs;
  readonly clock: Clock;
  readonly sink: LiveSink;
}): PushIntake {
  const { source, pairs, clock, sink } = options;
  const sequences = new Map<PairId, { readonly sequence: number; readonly atMs: number }>();

  function take(text: string, line: number, counts: QuoteResults): void {
    const quote = parsePushedQuote(text, pairs);
    if ("reason" in quote) {
      counts.reject(quote, line);
      return;
    }
    const { pair, bid, ask, madeAtMs, sequence } = quote;
    const receivedAtMs = clock.now();
    if (sequence !== null) {
      const last = sequences.get(pair);
      const isBehind = last !== undefined && sequence <= last.sequence;
      // The clock may have gone back, so the absolute difference counts.
      if (isBehind && Math.abs(receivedAtMs - last.atMs) < SEQUENCE_KEPT_MS) {
        counts.reject(OUT_OF_SEQUENCE, line);
        return;
      }
      sequences.set(pair, { sequence, atMs: receivedAtMs });
    }
    counts.take();
    sink.offer({ source, pair, bid, ask, madeAtMs, receivedAtMs });
  }

  return {
    read(form, counts) {
      const texts = form === "json" ? createJsonSplitter : createNdjsonSplitter;
      return skipByteOrderMark(
        texts({
          quote: (text, line) => take(text, line, counts),
          tooLong: (line) => counts.reject(TOO_LONG, line),
          torn: (line) => counts.reject(TORN, line),
        }),
      );
    },
  };
}
