import type { Quote } from "@propgate/core";

/** What a source could not use, and why; shown in the log and in health. */
export interface SourceWarning {
  readonly source: string;
  readonly reason: string;
  readonly count: number;
  /** File and line of the first such row, where there is one. */
  readonly first: string | null;
}

/** Somewhere prices come from. `start` calls `publish` with valid, uncrossed quotes until `stop`. */
export interface PriceSource {
  readonly name: string;
  start(publish: (quotes: readonly Quote[]) => void): Promise<void>;
  stop(): Promise<void>;
  warnings(): readonly SourceWarning[];
}
