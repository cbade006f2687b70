import type { PairId, UnixMs } from "@propgate/core";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";

/** The time of receipt: from the first, up to but not including the second. */
export interface TapeStretch {
  readonly fromMs: UnixMs;
  readonly toMs: UnixMs;
}

/** Reads the accepted quotes in order. */
export interface TapeReader {
  pairs(): Promise<readonly PairId[]>;
  /** The pair's quotes in order of epoch and number, in groups. */
  read(pair: PairId, stretch: TapeStretch): AsyncIterable<readonly NumberedQuote[]>;
}

export interface TapeWriter {
  /** Takes a quote immediately; it is on disk after the next flush. */
  write(quote: NumberedQuote): void;
  /** Writes the quotes taken so far as whole chunks. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
