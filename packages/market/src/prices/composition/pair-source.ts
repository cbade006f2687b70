import type { Instrument, UnixMs } from "@propgate/core";
import type { OfferedQuote } from "../quotes/numbered-quote.ts";

/**
 * Why a quote of a source was rejected, in the order of the checks. `disagreeing` comes later, when a majority of the
 * sources contradicts a usable quote.
 */
export type SourceFault =
  | "invalid"
  | "crossed"
  | "future"
  | "late"
  | "older"
  | "closed"
  | "outlier"
  | "disagreeing";

/** A price level far from the pair's, which the source has quoted `seen` times in a row without a confirmation. */
export interface DoubtfulLevel {
  readonly mid: number;
  readonly seen: number;
  readonly atMs: number;
}

/** A quote that a source offered, with the time and the middle price by which it is judged. */
export interface SourceQuote {
  readonly offered: OfferedQuote;
  /** The time that the venue gave the quote, or the time of receipt when the venue gave none or a later one. */
  readonly atMs: UnixMs;
  readonly mid: number;
}

/** One source of one pair: its newest usable quote and its health. */
export interface PairSource {
  readonly name: string;
  /** The priority of the source among the pair's sources; 0 is the highest. */
  readonly priority: number;
  /**
   * The newest usable quote. Null before the first, when it is stale, and after a quote with a fault other than `older`
   * or `closed`.
   */
  quote: SourceQuote | null;
  /** Whether `quote` was already offered to the intake. */
  isOffered: boolean;
  /** Since when the source has had a fresh quote without interruption; null while it has none. */
  healthySinceMs: number | null;
  /** The price level that awaits confirmation; null when there is none. */
  doubt: DoubtfulLevel | null;
  /** How many quotes of the source the intake has accepted. */
  accepted: number;
  /** How many quotes of the source had each fault. */
  readonly rejected: Record<SourceFault, number>;
}

/** Makes a source without a quote. `place` is its priority for the pair; 0 is the highest. */
export function createPairSource(name: string, place: number): PairSource {
  return {
    name,
    priority: place,
    quote: null,
    isOffered: false,
    healthySinceMs: null,
    doubt: null,
    accepted: 0,
    rejected: {
      invalid: 0,
      crossed: 0,
      future: 0,
      late: 0,
      older: 0,
      closed: 0,
      outlier: 0,
      disagreeing: 0,
    },
  };
}

/** Removes the source's quote and its health. Both restart with the next usable quote. */
export function resetHealth(source: PairSource): void {
  source.quote = null;
  source.healthySinceMs = null;
}

/**
 * The quote with its middle price, and with the time of its source or, when that is absent or later, of its receipt.
 */
export function sourceQuoteOf(offered: OfferedQuote): SourceQuote {
  const { madeAtMs, receivedAtMs } = offered;
  const isMadeBefore = madeAtMs !== null && madeAtMs < receivedAtMs;
  const atMs = isMadeBefore ? madeAtMs : receivedAtMs;
  return { offered, atMs, mid: (offered.bid + offered.ask) / 2 };
}

/** Whether a quote is older than the pair's limit, so that its source is not fresh. */
export function isStale(quote: SourceQuote, { staleAfterMs }: Instrument, nowMs: number): boolean {
  return nowMs - quote.atMs > staleAfterMs;
}

/** Whether `one` differs from `other` by at most the share `share` of `other`. */
export function isNear(one: number, other: number, share: number): boolean {
  return Math.abs(one / other - 1) <= share;
}
