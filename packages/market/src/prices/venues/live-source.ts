import type { PairId } from "@propgate/core";
import type { OfferedQuote } from "../quotes/numbered-quote.ts";

/** The state of a source's connections, or of one of them. */
export interface ConnectionHealth {
  readonly state: "connecting" | "up" | "down";
  /**
   * Why the source or the connection is not up, in words. Null while it is up; it may be null while it is connecting.
   */
  readonly reason: string | null;
  /** How many connections were made after the first. */
  readonly reconnects: number;
  /** How many messages could not be understood. */
  readonly unreadable: number;
}

/** Receives the quotes of live sources. */
export interface LiveSink {
  /** Takes a quote without waiting and never throws. The feed judges the quote. */
  offer(quote: OfferedQuote): void;
}

/**
 * A venue that sends prices over a network. `start` does not wait for the venue: an unreachable venue is a state and no
 * error, and the source reconnects by itself until `stop`. It offers only quotes whose two sides come from the present
 * connection.
 */
export interface LiveSource {
  readonly name: string;
  /** The pairs for which the source has symbols. */
  readonly pairs: readonly PairId[];
  start(sink: LiveSink): Promise<void>;
  stop(): Promise<void>;
  /** The health of all its connections; with a pair, the health of the connection that has the pair's quotes. */
  health(pair?: PairId): ConnectionHealth;
}
