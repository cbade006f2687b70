import { accountId } from "@propgate/core";
import { linkUrl } from "../../access/people/one-time-links.ts";
import type { Chance } from "../../base/random.ts";
import type { Database } from "../../storage/databases/database.ts";
import type { FirstKey } from "../../storage/rows/first-key.ts";
import type { AccountEntry } from "../../storage/stores/account-store.ts";
import { createSettingStore } from "../../storage/stores/setting-store.ts";
import type { FirstLink } from "../running-service.ts";
import type { ComposedService } from "../service.ts";
import { openFirstAccount } from "./first-account.ts";
import { makeFirstPeople } from "./first-people.ts";

/**
 * Opens a first account when the service has none. When several nodes start concurrently, the first node's id
 * is used, so one node opens the account and shows its key.
 */
export async function makeFirstAccount(
  service: ComposedService,
  { database, chance }: { readonly database: Database; readonly chance: Chance },
): Promise<FirstKey | null> {
  if ((await oldestAccount(service)) !== null) return null;
  const { accounts, keyring } = service;
  const id = await createSettingStore(database).setOnce("first.account", chance.uuid());
  const first = await openFirstAccount({
    accounts,
    keys: keyring.desk,
    label: "first key",
    accountId: accountId(id),
  });
  // A firm whose programs do not offer this account opens its own.
  return "refused" in first ? null : first;
}

/** Adds the first people when there are none. */
export async function makeFirstLinks(
  service: ComposedService,
  address: string,
): Promise<readonly FirstLink[]> {
  const first = await firstEntry(service);
  const people = await makeFirstPeople(service.people, first?.ownerId ?? null);
  return people.map(({ name, role, token }) => ({ name, role, url: linkUrl(address, token) }));
}

export async function oldestAccount(service: ComposedService): Promise<string | null> {
  return (await firstEntry(service))?.accountId ?? null;
}

async function firstEntry({ engine }: ComposedService): Promise<AccountEntry | null> {
  const [first] = await engine.accountStore.list({ after: null, limit: 1 });
  return first ?? null;
}
