import type { AccountId, Instruments, Quote, QuoteMap } from "@propgate/core";
import type { Queryable } from "../../packages/ledger/src/storage/databases/database.ts";
import type { NumberedQuote } from "../../packages/market/src/prices/quotes/numbered-quote.ts";
import type { ForgedQuote } from "./forged-messages.ts";
import type { QuoteOffer } from "./price-sources.ts";
import type { SourceAnswer } from "./price-tasks.ts";

/** The position of an action in the common order of all actions of a simulated run: a smaller turn happened earlier. */
export type Turn = number;

/** A client's request without its signature. */
export type ClientCall =
  | { readonly kind: "read"; readonly target: string }
  | { readonly kind: "trade"; readonly trade: Readonly<Record<string, unknown>> }
  /** A call of the dead man's switch. */
  | { readonly kind: "switch"; readonly body: Readonly<Record<string, unknown>> };

/**
 * The end of a request for its client: an answer, or none, because the connection was lost or the node died or hung.
 */
export type RequestOutcome =
  | {
      readonly kind: "answered";
      readonly turn: Turn;
      readonly atMs: number;
      readonly status: number;
      readonly body: unknown;
    }
  | { readonly kind: "lost"; readonly turn: Turn };

/** One signed request from its sending to its outcome, as its client knows it. */
export interface HttpExchange {
  readonly id: number;
  readonly node: number;
  readonly accountId: AccountId;
  readonly keyId: string;
  readonly nonce: string;
  /** The id of the exchange whose bytes were sent again; null for a new request. */
  readonly replayOf: number | null;
  readonly call: ClientCall;
  readonly sentTurn: Turn;
  readonly sentAtMs: number;
  readonly outcome: RequestOutcome;
}

/** The input of the checkers. It is taken when no request and no price is in progress. */
export interface Observation {
  readonly turn: Turn;
  /** The exchanges that ended since the last observation, in the order of their ends. */
  readonly ended: readonly HttpExchange[];
  /** All databases as one. Checkers only read. */
  readonly database: Queryable;
  /** The databases one by one. When absent, `database` is the only one. */
  readonly databases?: readonly Queryable[];
  readonly instruments: Instruments;
  readonly nowMs: number;
  /** The quote board of every living node. */
  readonly boards: readonly QuoteMap[];
  /**
   * The quotes that any node got or restored since the last observation, in order. A fill may have used any of them.
   */
  readonly quotes: readonly Quote[];
  /** The quotes of `quotes` that the feed has numbered. */
  readonly published: readonly NumberedQuote[];
  /** The forged prices that were sent to the nodes since the last observation. */
  readonly forged: readonly ForgedQuote[];
  /** The quotes that sources offered since the last observation, in order. */
  readonly fed: readonly QuoteOffer[];
  /** The answers that the operator got about the sources of pairs since the last observation. */
  readonly sourceAnswers: readonly SourceAnswer[];
  /**
   * True after a repair, as long as no fault, no choice of the operator and no five-minute mark has come since the
   * repair. Promises about delays are checked only then.
   */
  readonly calm: boolean;
  /** The time of the last repair. Work that was due before it must be done. */
  readonly repairedMs: number;
  /** The quote boards at the last repair, shortly before the nodes did the work that was due. */
  readonly repairedBoards: readonly QuoteMap[];
  /** The turn of the latest fault, or of the latest loss or start of a node; 0 before the first. */
  readonly lastFaultTurn: Turn;
  /** The turn in which an operator's choice last made the prices of the nodes differ; 0 before the first. */
  readonly lastChoiceTurn: Turn;
}

/** A broken promise that a checker has found. */
export interface Finding {
  readonly checker: string;
  readonly accountId: string | null;
  /** The promise and how it was broken, in one sentence. */
  readonly message: string;
}

/** Checks one promise. It remembers earlier observations, so that a check reads only new data. */
export interface Checker {
  readonly name: string;
  check(at: Observation): Promise<readonly Finding[]>;
  /** Runs the expensive checks once, at the end of a run. */
  finish?(at: Observation): Promise<readonly Finding[]>;
}
