import { count, nullable, object, string, type Wire } from "../schema.ts";

const ACCOUNTS_MAX = nullable(
  count(
    "Maximum number of open accounts of the owner; null for the maximum of the program or of all owners.",
  ),
);

export const UPDATE_OWNER = object("The maximum number of accounts of the owner.", {
  accountsMax: ACCOUNTS_MAX,
});
export type UpdateOwnerRequest = Wire<typeof UPDATE_OWNER>;

export const UPDATED_OWNER = object("The owner with the new maximum.", {
  ownerId: string("The owner's id."),
  accountsMax: ACCOUNTS_MAX,
});
