import type { Execution, Submission } from "../executor-port.ts";
import type { ForwardedCommand } from "./command-forwarder.ts";
import type { CommandOutcome } from "./outcome.ts";

/** A command that is not answered yet. */
export interface QueuedCommand {
  submission: Submission;
  readonly resolve: (execution: Execution) => void;
  readonly reject: (cause: unknown) => void;
  /** The number of the call to the executor. The commands in an account's queue are in the order of these numbers. */
  readonly number: number;
  /** The number of tries after each outcome; null before the first. */
  tries: Map<CommandOutcome["is"], number> | null;
  /** The time at which the command is refused if its quotes have not come; null while it has not waited for quotes. */
  quotesUntilMs: number | null;
  /** The command's forwarding to other nodes; null while only this node has tried it. */
  forwarded: ForwardedCommand | null;
  /** False until the command's pause is over. After that it waits only for earlier commands of its account. */
  isReady: boolean;
}

/** Answers the caller with an outcome that has an execution or a cause. */
export function endCommand(
  { resolve, reject, forwarded }: QueuedCommand,
  outcome: CommandOutcome,
): void {
  forwarded?.end();
  if ("execution" in outcome) resolve(outcome.execution);
  else if ("cause" in outcome) reject(outcome.cause);
}
