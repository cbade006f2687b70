/**
 * Why a quote was rejected. The fields of a line are checked one after another, so a later field may have an earlier
 * reason.
 */
const PUSH_REASONS = [
  "tooLong",
  "notJson",
  "missingField",
  "wrongValue",
  "unknownPair",
  "crossed",
  "unknownField",
  "duplicateField",
  "outOfSequence",
] as const;
export type PushReason = (typeof PUSH_REASONS)[number];

/** Why one line was rejected. */
export interface PushProblem {
  readonly reason: PushReason;
  /** The first wrong field; null when the line as a whole is wrong. */
  readonly field: string | null;
  /** A sentence for people. Of the line it repeats only the name of an unknown field. */
  readonly message: string;
}
