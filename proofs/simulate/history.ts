import type { AccountId, Instruments, Quote, QuoteMap } from "@propgate/core";
import type { Queryable } from "../../packages/ledger/src/storage/databases/database.ts";
import type { NumberedQuote } from "../../packages/market/src/prices/quotes/numbered-quote.ts";
import type { ForgedQuote } from "./forge.ts";
import type { SourceAnswer } from "./price-acts.ts";
import type { FedQuote } from "./price-sources.ts";

/** The order of everything in a simulated run: a smaller turn happened earlier. */
export type Turn = number;

/** The content of a client's request. */
export type Call =
  | { readonly kind: "read"; readonly target: string }
  | { readonly kind: "trade"; readonly trade: Readonly<Record<string, unknown>> }
  /** The dead man's switch. */
  | { readonly kind: "switch"; readonly body: Readonly<Record<string, unknown>> };

/** The client's outcome: an answer, or none because the connection was lost, the node died or it hung. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly turn: Turn;
      readonly atMs: number;
      readonly status: number;
      readonly body: unknown;
    }
  | { readonly kind: "lost"; readonly turn: Turn };

/** One signed request from its sending to its outcome, as its client knows it. */
export interface Exchange {
  readonly id: number;
  readonly node: number;
  readonly accountId: AccountId;
  readonly keyId: string;
  readonly nonce: string;
  /** The exchange whose bytes were sent again, unchanged. */
  readonly replayOf: number | null;
  readonly call: Call;
  readonly sentTurn: Turn;
  readonly sentAtMs: number;
  readonly outcome: Outcome;
}

/** The input of the checkers, taken while no request or price is in progress. */
export interface Observation {
  readonly turn: Turn;
  /** Exchanges that ended since the last observation, in the order of their ends. */
  readonly ended: readonly Exchange[];
  /** The rows of all accounts; checkers only read. */
  readonly database: Queryable;
  /** The databases behind it; `database` is the only one unless given. */
  readonly databases?: readonly Queryable[];
  readonly instruments: Instruments;
  readonly nowMs: number;
  /** The quote board of every live node. */
  readonly boards: readonly QuoteMap[];
  /** The quotes that any node got since the last observation, in order: a fill may have used any of them. */
  readonly quotes: readonly Quote[];
  /** The numbered ones among them. */
  readonly published: readonly NumberedQuote[];
  /** The forged prices that were sent to the nodes since the last observation. */
  readonly forged: readonly ForgedQuote[];
  /** The quotes that sources offered since the last observation, in order. */
  readonly fed: readonly FedQuote[];
  /** Answers about the sources of pairs since the last observation. */
  readonly sourceAnswers: readonly SourceAnswer[];
  /** False while a fault is active or a node is down. Promises about delays are not checked then. */
  readonly calm: boolean;
  /** The time of the last repair: work that was due before it must be done. */
  readonly repairedMs: number;
  /** The quote boards as that work began. */
  readonly repairedBoards: readonly QuoteMap[];
  /** The turn in which a fault or the loss of a node last started or ended; 0 before the first. */
  readonly lastFaultTurn: Turn;
  /** The turn in which nodes last had different prices by a choice of the operator; 0 before the first. */
  readonly lastChoiceTurn: Turn;
}

/** A broken promise. */
export interface Finding {
  readonly checker: string;
  readonly accountId: string | null;
  /** The promise and its violation, in one sentence. */
  readonly message: string;
}

/** Checks one promise. It remembers earlier observations, so that each check costs only new data. */
export interface Checker {
  readonly name: string;
  check(at: Observation): Promise<readonly Finding[]>;
  /** The expensive checks, which run once at the end. */
  finish?(at: Observation): Promise<readonly Finding[]>;
}
