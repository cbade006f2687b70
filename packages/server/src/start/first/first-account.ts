import { type FirstKey, type KeyDesk, TOO_MANY_KEYS } from "@propgate/access";
import { type AccountId, microUsd } from "@propgate/core";
import { defaultOffer, type Programs } from "@propgate/market";
import type { AccountDesk, NewAccount } from "../../calls/operator/operator-services.ts";

/**
 * The account that a new service or sandbox opens: `classic`, 100,000 USD, with static limits. `openFirstAccount` may
 * replace the program and the size.
 */
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
 * Opens the first account, with a key of both scopes. Refused when no program offers the account, when another node has
 * opened the account with this id, or when the account has the maximum of keys.
 */
export async function openFirstAccount(options: {
  readonly accounts: AccountDesk;
  readonly keys: Pick<KeyDesk, "create">;
  readonly label?: string;
  /**
   * The programs for sale. The account gets their default program, at the size nearest to 100,000 USD that it offers.
   * Absent for `classic` and 100,000 USD.
   */
  readonly programs?: Programs;
  /**
   * The id of the account; absent for a new id. All nodes of a database pass the same id, so that only one opens the
   * account.
   */
  readonly accountId?: AccountId;
}): Promise<FirstKey | { readonly refused: string }> {
  const accountId = await options.accounts.open({
    ...FIRST_ACCOUNT,
    ...(options.programs === undefined ? {} : defaultOffer(options.programs, FIRST_ACCOUNT.size)),
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
