import type { OwnerId } from "@propgate/core";
import type { OperatorServices } from "./operator-services.ts";

/**
 * Whether neither an account nor a person has the owner; null is an owner who is about to be made.
 * @rule D13.newOwner
 */
export async function isNewOwner(
  { accounts, people }: Pick<OperatorServices, "accounts" | "people">,
  ownerId: OwnerId | null,
): Promise<boolean> {
  if (ownerId === null) return true;
  return !(await accounts.hasOwner(ownerId)) && !(await people.roster.hasOwner(ownerId));
}
