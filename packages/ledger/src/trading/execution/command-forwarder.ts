import type { Submission } from "../executor-port.ts";
import type { StateCache } from "../state-cache.ts";
import type { Outcome } from "./outcome.ts";

/** Has commands decided by the node that owns their account; a process without other nodes has none. */
export interface CommandForwarder {
  readonly begin: (submission: Submission, cache: ForwardCache) => ForwardedCommand;
}

export type ForwardCache = Pick<StateCache, "put" | "read">;

/** One command on its way to the owner of its account. */
export interface ForwardedCommand {
  /** The command with the id of its receipt. */
  readonly submission: Submission;
  /** True while a message without an answer may have been carried out. */
  readonly isOpen: boolean;
  /** Sends the command to the owner once. Finds out the owner again when it was sent before. */
  attempt(): Promise<Outcome>;
  /** The outcome unchanged while there is time for another attempt; after that the outcome that ends the command. */
  limited(outcome: Outcome): Outcome;
  end(): void;
}
