/**
 * A text with a terminal title, a cleared screen, concealed text, a color after a C1 control, direction marks, a tag
 * and a line separator.
 */
export const HOSTILE_TEXT =
  "\u001b]0;owned\u0007\u001b[2J\u001b[8m\u009b31m\u202e\u2066\u{E0041}\u2028";

/** A character that a terminal or an agent would act on and that a person does not see. */
export const HIDDEN_CHARACTER = /(?!\r\n|[\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
