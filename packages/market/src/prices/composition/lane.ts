import type { Instrument, UnixMs } from "@propgate/core";
import type { OfferedQuote } from "../quotes/numbered-quote.ts";

/** Why a quote of a source was rejected, in the order of the checks. */
export type LaneFault =
  | "invalid"
  | "crossed"
  | "future"
  | "late"
  | "older"
  | "closed"
  | "outlier"
  | "disagreeing";

/** A price level that was quoted but is not confirmed yet. */
export interface Doubt {
  readonly mid: number;
  readonly seen: number;
  readonly atMs: number;
}

/** The newest usable quote of a lane. */
export interface LaneQuote {
  readonly offered: OfferedQuote;
  /** The venue's own time; the time of receipt when it sends none, or one that is later. */
  readonly atMs: UnixMs;
  readonly mid: number;
}

/** One source of one pair: its newest usable quote and its health. */
export interface Lane {
  readonly source: string;
  /** The place of the source among the pair's sources: 0 is the preferred one. */
  readonly place: number;
  /** Null when it has none, and after a quote that was rejected. */
  quote: LaneQuote | null;
  /** Whether `quote` was offered to the intake. */
  isOffered: boolean;
  /** Since when it has had a fresh quote without interruption; null while it has none. */
  healthySinceMs: number | null;
  doubt: Doubt | null;
  accepted: number;
  readonly rejected: Record<LaneFault, number>;
}

export function createLane(source: string, place: number): Lane {
  return {
    source,
    place,
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

/** The lane has no usable quote until the next good one, at which the time of its health restarts. */
export function loseHealth(lane: Lane): void {
  lane.quote = null;
  lane.healthySinceMs = null;
}

export function laneQuoteOf(offered: OfferedQuote): LaneQuote {
  const { madeAtMs, receivedAtMs } = offered;
  const isMadeBefore = madeAtMs !== null && madeAtMs < receivedAtMs;
  const atMs = isMadeBefore ? madeAtMs : receivedAtMs;
  return { offered, atMs, mid: (offered.bid + offered.ask) / 2 };
}

/** A lane whose newest quote is older than the pair's limit is not fresh. */
export function isStale(quote: LaneQuote, { staleAfterMs }: Instrument, nowMs: number): boolean {
  return nowMs - quote.atMs > staleAfterMs;
}

/** Whether two prices are at most this share of the second apart. */
export function isNear(one: number, other: number, share: number): boolean {
  return Math.abs(one / other - 1) <= share;
}
