import type { PairId } from "@propgate/core";
import type { OfferedQuote } from "../quotes/numbered-quote.ts";

/** The state of one source's connection. */
export interface ConnectionHealth {
  readonly state: "connecting" | "up" | "down";
  /** Why it is down, in words; null while it is up. */
  readonly reason: string | null;
  /** Connections that were made after the first. */
  readonly reconnects: number;
  /** Messages that could not be understood. */
  readonly unreadable: number;
}

export interface LiveSink {
  /** Takes a quote without waiting and never throws; judging it is the feed's work. */
  offer(quote: OfferedQuote): void;
}

/**
 * A venue that pushes prices over a network. `start` resolves immediately: an unreachable venue is a state, not an
 * error, and the source reconnects by itself until `stop`. It only offers quotes that have both sides; a side that it
 * last saw on an earlier connection is not one.
 */
export interface LiveSource {
  readonly name: string;
  /** The pairs that it has symbols for. */
  readonly pairs: readonly PairId[];
  start(sink: LiveSink): Promise<void>;
  stop(): Promise<void>;
  /** The health of all its connections; with a pair, of the one that brings the pair's quotes. */
  health(pair?: PairId): ConnectionHealth;
}
