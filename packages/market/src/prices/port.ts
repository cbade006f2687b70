import type { Quote } from "@propgate/core";
import type { OfferedQuote } from "./quotes/numbered-quote.ts";

/** Data that a source could not use, and why; shown in the log and in health. */
export interface SourceWarning {
  readonly source: string;
  readonly reason: string;
  readonly count: number;
  /** File, line and value of the first such row, if any. */
  readonly first: string | null;
}

/**
 * A quote of a recording, with its source and times. It keeps them, and is no outlier: a tape's own feed judged it with
 * the rejected quotes around it, and a file is true by definition.
 */
export interface RecordedQuote extends Quote, Omit<OfferedQuote, keyof Quote> {}

export function isRecorded(quote: Quote): quote is RecordedQuote {
  return "receivedAtMs" in quote;
}

/**
 * Takes new prices. Resolves when all their effects are carried out. Calls are processed in order,
 * so no fill is decided at a later price. A source that waits for each call also has every low of a
 * pro account recorded.
 */
export type Publish = (quotes: readonly Quote[]) => Promise<void>;

/**
 * A source of prices. After `start` it calls `publish` with valid, uncrossed quotes, until `stop`.
 * A source that fails after `start` reports it through `warnings`.
 */
export interface PriceSource {
  readonly name: string;
  start(publish: Publish): Promise<void>;
  stop(): Promise<void>;
  warnings(): readonly SourceWarning[];
}
