import type { Rejection } from "./passing-message.ts";

/** How the passings of this node ended. `silence`: no answer in time. */
export type PassingEnd = "done" | "refused" | "notOwner" | "failed" | "silence";

/** The commands that this node has passed to owners since its start. */
export interface PassingFigures {
  /** Passings by their end; a command that is passed twice counts twice. */
  readonly passed: ReadonlyMap<PassingEnd, number>;
  /** Commands that wait for an owner or for its answer now. */
  readonly waiting: number;
  /** Answers to commands that were answered before. */
  readonly late: number;
  /** Messages that were not read, by reason. */
  readonly dropped: ReadonlyMap<Rejection, number>;
}
