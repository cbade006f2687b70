import { list, object, string, type Wire } from "../schema.ts";

/** The maximum number of matches of each kind. */
export const FOUND_MAX = 8;

/**
 * A few matches of each kind: by the beginning of the id of an account, a key or a payout, and by any part of a
 * person's name, a key's label, an owner's id or an external id.
 */
export const FOUND = object("The first matches of a search, at most 8 of each kind.", {
  accounts: list(
    object("An account.", {
      accountId: string("The id of the account."),
      ownerId: string("The id of the account's owner."),
      status: string("The status of the account."),
    }),
    "Accounts whose id starts with the text, or whose owner id or external id contains it.",
  ),
  people: list(
    object("A person.", {
      personId: string("The person's id."),
      name: string("The person's name."),
      role: string("The person's role."),
    }),
    "People whose name contains the text.",
  ),
  keys: list(
    object("An API key.", {
      keyId: string("The id of the key."),
      accountId: string("The id of the key's account."),
      label: string("The label of the key."),
    }),
    "Keys whose id starts with the text, or whose label contains it.",
  ),
  payouts: list(
    object("A payout.", {
      payoutId: string("The id of the payout."),
      accountId: string("The id of the payout's account."),
    }),
    "Payouts whose id starts with the text.",
  ),
});
export type FoundView = Wire<typeof FOUND>;
