import type { OwnerId } from "@propgate/core";
import type { OperatorServices } from "./operator-services.ts";

/**
 * True when no account and no person belongs to this owner. `ownerId` is null for an owner whose id is still to be
 * made. @rule D13.newOwner
 */
export async function isNewOwner(
  { accounts, people }: Pick<OperatorServices, "accounts" | "people">,
  ownerId: OwnerId | null,
): Promise<boolean> {
  if (ownerId === null) return true;
  return !(await accounts.hasOwner(ownerId)) && !(await people.roster.hasOwner(ownerId));
}
