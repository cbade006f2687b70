import { type AccountId, accountId } from "@propgate/core";
import { exposedVersions } from "../storage/account-rows.ts";
import type { Database } from "../storage/database.ts";
import type { VersionedState } from "./executor-port.ts";
import type { StateCache } from "./state-cache.ts";

/**
 * What other processes do on the same database. Nobody tells of it; so each look goes on through the
 * accounts with open positions or resting orders, and finds those that have moved elsewhere. When a
 * node dies, the stops and limits of its accounts are watched by whoever is left.
 */
export interface OtherNodes {
  /** The accounts of the next page that are newer than this process has them, as they are now. */
  look(): Promise<readonly VersionedState[]>;
}

/** With a look a second, 100,000 such accounts are gone through in 20 seconds. */
const PAGE = 5_000;

export function createOtherNodes(need: {
  readonly database: Database;
  readonly cache: StateCache;
  /** The version that is watched here; 0: none. */
  readonly watched: (account: AccountId) => number;
  /** Accounts that one look reads. */
  readonly page?: number;
}): OtherNodes {
  const { database, cache, watched, page: limit = PAGE } = need;
  let after: string | null = null;
  return {
    async look() {
      const page = await exposedVersions(database, { after, limit });
      after = page.length < limit ? null : (page.at(-1)?.accountId ?? null);
      const moved = page
        .map(({ accountId: id, version }) => ({ accountId: accountId(id), version }))
        .filter((account) => account.version > watched(account.accountId));
      const read = await Promise.all(moved.map((account) => cache.read(account)));
      return read.filter((account) => account !== null);
    },
  };
}
