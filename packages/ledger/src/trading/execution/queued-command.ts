import type { Execution, Submission } from "../executor-port.ts";
import type { ForwardedCommand } from "./command-forwarder.ts";
import type { Outcome } from "./outcome.ts";

/** A command that is not answered yet. */
export interface QueuedCommand {
  submission: Submission;
  readonly resolve: (execution: Execution) => void;
  readonly reject: (cause: unknown) => void;
  /** Counts the calls: a line is in this order. */
  readonly number: number;
  /** The tries after each outcome; null before the first. */
  tries: Map<Outcome["is"], number> | null;
  /** When the command is refused for want of quotes; null while it has not waited for them. */
  quotesUntilMs: number | null;
  /** Its way to other nodes; null while this node alone has tried it. */
  forwarded: ForwardedCommand | null;
  /** True in a line once its pause is over and it waits only for the commands before it. */
  isReady: boolean;
}

/** Answers the caller with an outcome that has an execution or a cause. */
export function endCommand({ resolve, reject, forwarded }: QueuedCommand, outcome: Outcome): void {
  forwarded?.end();
  if ("execution" in outcome) resolve(outcome.execution);
  else if ("cause" in outcome) reject(outcome.cause);
}
