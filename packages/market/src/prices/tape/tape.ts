import type { PairId, UnixMs } from "@propgate/core";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";

/** A range of the time of receipt: `fromMs` is included, `toMs` is not. */
export interface TapeStretch {
  readonly fromMs: UnixMs;
  readonly toMs: UnixMs;
}

/** Reads the accepted quotes of a tape. */
export interface TapeReader {
  pairs(): Promise<readonly PairId[]>;
  /** The pair's quotes that were received in the range, in the order of epoch and number, in groups. */
  read(pair: PairId, stretch: TapeStretch): AsyncIterable<readonly NumberedQuote[]>;
}

/** Records accepted quotes. */
export interface TapeWriter {
  /** Takes a quote without waiting. It is on disk after the next flush. */
  write(quote: NumberedQuote): void;
  /** Writes the quotes that were taken so far, as whole chunks. */
  flush(): Promise<void>;
  /** Writes the remaining quotes and forces them to the disk. */
  close(): Promise<void>;
}
