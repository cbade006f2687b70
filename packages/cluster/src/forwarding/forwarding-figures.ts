import type { Rejection } from "./forward-message.ts";

/** How the messages with forwarded commands ended. `silence`: no answer in time. */
export type ForwardEnd = "done" | "refused" | "notOwner" | "failed" | "silence";

/** The commands that this node has forwarded to owners since its start. */
export interface ForwardingFigures {
  /** Messages by their end; a command that is sent twice counts twice. */
  readonly forwarded: ReadonlyMap<ForwardEnd, number>;
  /** Commands that wait for an owner or for its answer now. */
  readonly waiting: number;
  /** Answers that came after their command had ended. */
  readonly lateAnswers: number;
  /** Messages that were not read, by reason. */
  readonly dropped: ReadonlyMap<Rejection, number>;
}
