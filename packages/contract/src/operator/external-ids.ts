import { object, string, type Wire } from "../schema.ts";

/**
 * The form of an id in another system: 1 to 64 characters. `null` and `set` are not ids, because filters use these
 * words.
 */
export const FIRM_ID = /^(?!(?:null|set)$)[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;

/** The form of `FIRM_ID` as the end of a sentence. */
export const FIRM_ID_FORM =
  "must be 1 to 64 letters, digits, dots, hyphens, colons or underscores, the first a letter or digit, and not null or set";

export const SET_EXTERNAL_ID = object("The id of an account or person in another system.", {
  externalId: string(
    "The external id. It never changes, and is never given to another account or person. It is case-sensitive.",
  ),
});
export type SetExternalIdRequest = Wire<typeof SET_EXTERNAL_ID>;
