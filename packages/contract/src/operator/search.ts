import { list, object, string, type Wire } from "../schema.ts";

/** The maximum number of matches of each kind. */
export const FOUND_MAX = 8;

/** A few matches of each kind: ids by prefix, names by any part. */
export const FOUND = object("The first matches of a search, at most 8 of each kind.", {
  accounts: list(
    object("An account.", {
      accountId: string("Its id."),
      ownerId: string("Its owner's id."),
      status: string("Its status."),
    }),
    "By id prefix, or part of the owner id or external id.",
  ),
  people: list(
    object("A person.", {
      personId: string("The person's id."),
      name: string("The person's name."),
      role: string("The person's role."),
    }),
    "By part of the name.",
  ),
  keys: list(
    object("An API key.", {
      keyId: string("Its id."),
      accountId: string("Its account."),
      label: string("Its name."),
    }),
    "By id prefix or part of the label.",
  ),
  payouts: list(
    object("A payout.", { payoutId: string("Its id."), accountId: string("Its account.") }),
    "By id prefix.",
  ),
});
export type FoundView = Wire<typeof FOUND>;
