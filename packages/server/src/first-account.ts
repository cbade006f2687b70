import { microUsd } from "@propgate/core";
import type { KeyDesk } from "./keys/manage-keys.ts";
import type { AccountDesk, NewAccount } from "./operator/operator-world.ts";
import type { FirstKey } from "./running-service.ts";

/** The classic static account of 100,000 that a new service and a new sandbox begin with. */
const FIRST_ACCOUNT: NewAccount = {
  program: null,
  ownerId: null,
  size: microUsd(100_000_000_000),
  assetClass: "allMarkets",
  criteria: "static",
  dailyLossPct: null,
  tier: "tier1",
  provisioned: true,
};

/** Opens it with a key of both scopes, or says why no program offers it. */
export async function openFirstAccount(need: {
  readonly accounts: AccountDesk;
  readonly keys: Pick<KeyDesk, "create">;
  readonly label?: string;
}): Promise<FirstKey | { readonly refused: string }> {
  const accountId = await need.accounts.open(FIRST_ACCOUNT);
  if (typeof accountId !== "string") return accountId;
  const { key, secret } = await need.keys.create({
    accountId,
    scopes: ["read", "place"],
    ...(need.label === undefined ? {} : { label: need.label }),
  });
  return { accountId, keyId: key.keyId, secret };
}
