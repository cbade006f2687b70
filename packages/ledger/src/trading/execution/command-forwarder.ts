import type { Submission } from "../executor-port.ts";
import type { StateCache } from "../state-cache.ts";
import type { CommandOutcome } from "./outcome.ts";

/** Forwards commands to the node that owns their account. A process without other nodes has no forwarder. */
export interface CommandForwarder {
  readonly begin: (submission: Submission, cache: ForwardCache) => ForwardedCommand;
}

/** The cache that keeps the account of a forwarded command. */
export type ForwardCache = Pick<StateCache, "put" | "read">;

/** A command that is being forwarded to the owner of its account. */
export interface ForwardedCommand {
  /** The command, with the id under which its receipt is stored. */
  readonly submission: Submission;
  /** True while a message of the command may have been carried out and has no answer with its fate. */
  readonly isOpen: boolean;
  /** Sends the command to the owner once. Every attempt after the first reads again who the owner is. */
  attempt(): Promise<CommandOutcome>;
  /** Returns the given outcome while there is time for another attempt, and later the outcome that ends the command. */
  applyLimit(outcome: CommandOutcome): CommandOutcome;
  end(): void;
}
