import type { AccountId, Instruments, Quote, Quotes } from "@propgate/core";
import type { Queryable } from "../../packages/server/src/storage/databases/database.ts";

/** Counts everything that happens in a simulated run; what has the smaller turn happened before. */
export type Turn = number;

/** What a client asked for. */
export type Call =
  | { readonly kind: "read"; readonly target: string }
  | { readonly kind: "trade"; readonly trade: Readonly<Record<string, unknown>> };

/** What the client got: an answer, or nothing (the connection was lost, the node died, it hung). */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly turn: Turn;
      readonly atMs: number;
      readonly status: number;
      readonly body: unknown;
    }
  | { readonly kind: "lost"; readonly turn: Turn };

/** One signed request as its client saw it from sending to its end. */
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

/** What a checker may look at when nothing is on its way. */
export interface Look {
  readonly turn: Turn;
  /** Exchanges that ended since the last look, in the order of their ends. */
  readonly ended: readonly Exchange[];
  /** The database as the nodes left it; reading only. */
  readonly database: Queryable;
  readonly instruments: Instruments;
  readonly nowMs: number;
  /** The board of every node that is alive, as it was last evaluated. */
  readonly boards: readonly Quotes[];
  /** Given to any node since the last look, in their order: what a fill may have seen. */
  readonly quotes: readonly Quote[];
  /** False while a fault is active or a node is down: promises about being in time are not judged. */
  readonly calm: boolean;
  /** When a fault or the loss of a node last began or ended; 0: never yet. */
  readonly lastFaultTurn: Turn;
}

/** A promise that was not kept. */
export interface Finding {
  readonly checker: string;
  readonly accountId: string | null;
  /** What was promised and what was seen, in a sentence. */
  readonly says: string;
}

/** Holds the service to one promise; remembers what it has seen, so that a look costs what is new. */
export interface Checker {
  readonly name: string;
  look(at: Look): Promise<readonly Finding[]>;
  /** Once, at the end of a run: what is too much for every look. */
  finish?(at: Look): Promise<readonly Finding[]>;
}
