import { type FirstKey, linkUrl } from "@propgate/access";
import { type Chance, delay, type ProcessRole, type Timer } from "@propgate/base";
import { type AccountId, accountId } from "@propgate/core";
import {
  type AccountSummary,
  createSettingStore,
  type Database,
  NotCarriedOut,
  NotOwner,
} from "@propgate/ledger";
import { rolesOf } from "../nodes/node-membership.ts";
import type { FirstLink, RunningService } from "../running-service.ts";
import type { ComposedService } from "../service.ts";
import { openFirstAccount } from "./first-account.ts";
import { makeFirstPeople } from "./first-people.ts";

const TRY_EVERY_MS = 200;
/** The maximum wait for a node to own the account's partition. The lease of a killed node ends within 6 s. */
const TRY_MAX_MS = 12_000;

interface FirstOptions {
  readonly role: ProcessRole;
  readonly database: Database;
  readonly chance: Chance;
  readonly timer: Timer;
  /** The address at which people reach the pages. */
  readonly address: string;
}

/** Makes the first account with its key when the service has no account, and the first people when it has none. */
export async function makeFirstAccountAndPeople(
  service: ComposedService,
  options: FirstOptions,
): Promise<Pick<RunningService, "firstKey" | "accountId" | "firstLinks">> {
  const firstKey = await makeFirstAccount(service, options);
  return {
    firstKey,
    accountId: firstKey?.accountId ?? (await oldestAccount(service)),
    firstLinks: await makeFirstLinks(service, options.address),
  };
}

/**
 * Opens a first account when the service has none, and returns its key; null when this node does not open it. When
 * several nodes start concurrently, all use the account id that the first node stored, so one node opens the account
 * and shows its key. The call waits while no node has the account's partition, but at most `TRY_MAX_MS`. A node that
 * decides no accounts leaves this to the others.
 */
async function makeFirstAccount(
  service: ComposedService,
  options: FirstOptions,
): Promise<FirstKey | null> {
  if (!rolesOf(options.role).includes("engine")) return null;
  const { database, chance, timer } = options;
  for (let ms = 0; ; ms += TRY_EVERY_MS) {
    if ((await oldestAccount(service)) !== null) return null;
    const id = await createSettingStore(database).setOnce("first.account", chance.uuid());
    try {
      return await tryFirstAccount(service, accountId(id));
    } catch (cause) {
      if (cause instanceof NotCarriedOut) return null;
      if (!(cause instanceof NotOwner)) throw cause;
      // Without a feed, no node takes over a partition. A later start opens the account.
      if (ms >= TRY_MAX_MS) return null;
    }
    await delay(timer, TRY_EVERY_MS);
  }
}

async function tryFirstAccount(
  { accounts, keyring }: ComposedService,
  id: AccountId,
): Promise<FirstKey | null> {
  const first = await openFirstAccount({
    accounts,
    keys: keyring.desk,
    label: "first key",
    accountId: id,
  });
  // A firm whose programs do not offer this account opens its own accounts.
  return "refused" in first ? null : first;
}

/** Adds the first people when there are none, and returns their links. */
async function makeFirstLinks(
  service: ComposedService,
  address: string,
): Promise<readonly FirstLink[]> {
  const first = await firstEntry(service);
  const people = await makeFirstPeople(service.people, first?.ownerId ?? null);
  return people.map(({ name, role, token }) => ({ name, role, url: linkUrl(address, token) }));
}

async function oldestAccount(service: ComposedService): Promise<string | null> {
  return (await firstEntry(service))?.accountId ?? null;
}

async function firstEntry({ engine }: ComposedService): Promise<AccountSummary | null> {
  const [first] = await engine.accountStore.list({ after: null, limit: 1 });
  return first ?? null;
}
