import { type AccountId, ownerId, ratio } from "@propgate/core";
import type { ControlServices } from "./control-services.ts";

/** Opens a subaccount at the sandbox's validator and links it to an owner. */
export async function linkNewSubaccount(
  { validator, links }: NonNullable<ControlServices["linked"]>,
  given: { readonly size: number; readonly ownerId: string },
): Promise<{ readonly accountId: AccountId; readonly subaccount: string }> {
  const subaccount = await validator.openSubaccount(given);
  const linked = await links.link({
    subaccount,
    ownerId: ownerId(given.ownerId),
    profitSplit: ratio(1),
  });
  if (linked.ok) return { accountId: linked.accountId, subaccount };
  throw new Error(`a new subaccount of the sandbox cannot be linked: ${linked.refused}`);
}
