import { type FirstKey, type KeyDesk, TOO_MANY_KEYS } from "@propgate/access";
import { type AccountId, microUsd } from "@propgate/core";
import { type Programs, usualOffer } from "@propgate/market";
import type { AccountDesk, NewAccount } from "../../calls/operator/operator-services.ts";

/** The static account of 100,000 USD of a new service or sandbox. */
const FIRST_ACCOUNT: NewAccount = {
  program: null,
  ownerId: null,
  externalId: null,
  size: microUsd(100_000_000_000),
  assetClass: "allMarkets",
  criteria: "static",
  dailyLossPct: null,
  tier: "tier1",
  provisioned: true,
  obeysMax: false,
};

/**
 * Opens the first account with a key of both scopes. Refused when no program offers it, or when another node
 * has opened the account with that id.
 */
export async function openFirstAccount(options: {
  readonly accounts: AccountDesk;
  readonly keys: Pick<KeyDesk, "create">;
  readonly label?: string;
  /** Programs of which one must be its own, where `classic` of that size is not among them. */
  readonly programs?: Programs;
  /**
   * The id of the account. All nodes of a database pass the same id, so that only one opens it; a new id when absent.
   */
  readonly accountId?: AccountId;
}): Promise<FirstKey | { readonly refused: string }> {
  const accountId = await options.accounts.open({
    ...FIRST_ACCOUNT,
    ...(options.programs === undefined ? {} : usualOffer(options.programs, FIRST_ACCOUNT.size)),
    ...(options.accountId === undefined ? {} : { accountId: options.accountId }),
  });
  if (typeof accountId !== "string") return accountId;
  const made = await options.keys.create({
    accountId,
    scopes: ["read", "place"],
    ...(options.label === undefined ? {} : { label: options.label }),
  });
  if (made === null) return { refused: TOO_MANY_KEYS };
  return { accountId, keyId: made.key.keyId, secret: made.secret };
}
