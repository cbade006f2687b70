import type { Quote } from "@propgate/core";

/** What a source could not use, and why; shown in the log and in health. */
export interface SourceWarning {
  readonly source: string;
  readonly reason: string;
  readonly count: number;
  /** File and line of the first such row, where there is one. */
  readonly first: string | null;
}

/**
 * Takes new prices. Resolves when everything they triggered has been carried out. Calls are carried
 * out one after the other, so that no fill is decided against a later price; a source that waits
 * for each has every low of a pro account recorded as well.
 */
export type Publish = (quotes: readonly Quote[]) => Promise<void>;

/**
 * Somewhere prices come from. `start` calls `publish` with valid, uncrossed quotes until `stop`,
 * after which no further call is made. A source that fails later than `start` reports it through
 * `warnings`.
 */
export interface PriceSource {
  readonly name: string;
  start(publish: Publish): Promise<void>;
  stop(): Promise<void>;
  warnings(): readonly SourceWarning[];
}
