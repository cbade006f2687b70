import type { Quote } from "@propgate/core";
import type { OfferedQuote } from "./quotes/numbered-quote.ts";

/**
 * A problem with prices or other data of the service: where it comes from, its reason, and the number of cases. The log
 * and the health show it.
 */
export interface SourceWarning {
  readonly source: string;
  readonly reason: string;
  readonly count: number;
  /**
   * The first row, value or pair with this problem, with its line when it is in a file; null when there is none to
   * show.
   */
  readonly first: string | null;
}

/**
 * A quote of a recording. It keeps its source and its times. It is never checked as an outlier: the feed that wrote a
 * tape has already judged its quotes, and the prices of a file are taken as correct.
 */
export interface RecordedQuote extends Quote, Omit<OfferedQuote, keyof Quote> {}

export function isRecorded(quote: Quote): quote is RecordedQuote {
  return "receivedAtMs" in quote;
}

/**
 * Takes new prices. Resolves when all their effects are committed. Calls are processed in order, so an order that a
 * call triggers never fills at the price of a later call. If a source waits for each call before the next one, every
 * low of a pro account is recorded.
 */
export type Publish = (quotes: readonly Quote[]) => Promise<void>;

/**
 * A source of prices. From `start` until `stop` it calls `publish` with valid quotes, whose bid is never above the ask.
 * A source that fails after `start` reports the failure in `warnings`.
 */
export interface PriceSource {
  readonly name: string;
  start(publish: Publish): Promise<void>;
  stop(): Promise<void>;
  warnings(): readonly SourceWarning[];
}
