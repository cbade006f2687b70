import type { AccountId } from "@propgate/core";
import type { Database } from "../storage/databases/database.ts";
import type { VersionedState } from "./executor-port.ts";
import { createExposedPages } from "./exposed-pages.ts";
import type { ReadAt } from "./network/port.ts";
import type { StateCache } from "./state-cache.ts";

/**
 * Follows the changes of another process on the same database. Such a process may still commit while this one starts,
 * and no process announces its changes. So each call reads the next page of accounts with open positions or pending
 * orders, and finds those that changed elsewhere.
 */
export interface OtherNodes {
  /** Reads the next page. Returns the accounts on it that are newer than the version that this process watches. */
  nextPage(): Promise<readonly VersionedState[]>;
}

/** The number of accounts of a page. With one page a second, 100,000 accounts take 20 seconds. */
const PAGE = 5_000;

export function createOtherNodes(options: {
  readonly database: Database;
  readonly cache: StateCache;
  /** The version of the account that this process watches; 0 when it watches none. */
  readonly watched: (account: AccountId) => number;
  /** The number of accounts of a page. */
  readonly page?: number;
}): OtherNodes {
  const { cache, watched } = options;
  const pages = createExposedPages({ ...options, limit: options.page ?? PAGE });
  return {
    async nextPage() {
      const { accounts } = await pages.next();
      const isNewer = ({ accountId, version }: Pick<ReadAt, "accountId" | "version">): boolean =>
        version > watched(accountId);
      const moved = accounts.filter((account) => isNewer(account) || !cache.mayAnswer(account));
      const read = await Promise.all(moved.map(async (account) => cache.read(account)));
      return read
        .filter((account) => account !== null)
        .filter(({ state: { accountId }, version }) => isNewer({ accountId, version }));
    },
  };
}
