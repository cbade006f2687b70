import { count, nullable, object, string, type Wire } from "../schema.ts";

const ACCOUNTS_MAX = nullable(
  count(
    "How many accounts the owner may have; null for the program's maximum, or that of all owners.",
  ),
);

export const UPDATE_OWNER = object("The owner's own maximum.", { accountsMax: ACCOUNTS_MAX });
export type UpdateOwnerRequest = Wire<typeof UPDATE_OWNER>;

export const UPDATED_OWNER = object("The owner.", {
  ownerId: string("The owner's id."),
  accountsMax: ACCOUNTS_MAX,
});
