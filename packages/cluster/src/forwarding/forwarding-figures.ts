import type { ForwardDropReason } from "./forward-message.ts";

/**
 * How a message with a forwarded command ended. `notOwner`: its receiver does not own the account. `failed`: it was not
 * carried out, or its fate is unknown. `silence`: it had no answer in time.
 */
export type ForwardEnd = "done" | "refused" | "notOwner" | "failed" | "silence";

/**
 * The figures of forwarding since the start of this node: the commands that it forwarded to the nodes that own their
 * accounts, and the messages that it dropped.
 */
export interface ForwardingFigures {
  /** The number of messages by their end. A command that is sent twice counts twice. */
  readonly forwarded: ReadonlyMap<ForwardEnd, number>;
  /** The number of commands that wait for a node that owns their account, or for its answer. */
  readonly waiting: number;
  /** The number of answers that came after their command had ended. */
  readonly lateAnswers: number;
  /** The number of received messages that were dropped, by reason. */
  readonly dropped: ReadonlyMap<ForwardDropReason, number>;
}
