/** Why a quote was rejected, in the order in which a line is checked. */
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

/** One line that was rejected. */
export interface PushProblem {
  readonly reason: PushReason;
  /** The first wrong field; null when the line as a whole is wrong. */
  readonly field: string | null;
  /** A sentence for people, without the line's own text. */
  readonly message: string;
}
