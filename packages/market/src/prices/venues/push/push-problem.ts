/**
 * Why a quote was rejected. A quote has one reason, that of the first check that fails. The checks go field by field,
 * not in the order of this list.
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

/** Why one quote was rejected. */
export interface PushProblem {
  readonly reason: PushReason;
  /** The first wrong field; null when the text as a whole is wrong. */
  readonly field: string | null;
  /** A sentence for people. Of the quote's text it repeats only the name of an unknown field. */
  readonly message: string;
}
