import { type AccountId, accountId } from "@propgate/core";
import { createMicroBatch } from "../base/micro-batch.ts";
import type { Database } from "../storage/databases/database.ts";
import { loadAccounts, loadExposed, type StoredAccount } from "../storage/stores/account-rows.ts";
import type { VersionedState } from "./executor-port.ts";
import { putRecent } from "./network/history/recent-entries.ts";
import type { ReadAt } from "./network/port.ts";

/** A committed state with the hash of the journal line that made it. */
export interface CommittedAccount extends VersionedState {
  readonly headHash: Uint8Array;
}

/** Committed states in memory: never ahead of the database, and behind it only between reads. */
export interface StateCache {
  get(id: AccountId): CommittedAccount | null;
  /** Keeps the newer version. */
  put(account: CommittedAccount): void;
  /** The account at that version or a later one; null when there is no such account. */
  read(at: ReadAt): Promise<VersionedState | null>;
  /** Brings every account with open positions or pending orders into memory and returns them. */
  loadExposed(): Promise<readonly VersionedState[]>;
}

const PAGE = 1000;
const LOADS_BATCH_MAX = 256;
const LOADS_CONCURRENT_MAX = 2;

export function createStateCache(database: Database, accountsMax = 200_000): StateCache {
  const accounts = new Map<AccountId, CommittedAccount>();
  const loads = createMicroBatch<AccountId, CommittedAccount | null>({
    batchMax: LOADS_BATCH_MAX,
    concurrentMax: LOADS_CONCURRENT_MAX,
    run: async (ids) => {
      const found = await loadAccounts(database, [...new Set(ids)]);
      for (const stored of found) put(committed(stored));
      const known = new Set(found.map((stored) => stored.accountId));
      return ids.map((id) => (known.has(id) ? (accounts.get(id) ?? null) : null));
    },
  });

  const put = (account: CommittedAccount): void => {
    const id = account.state.accountId;
    const before = accounts.get(id);
    if (before !== undefined && before.version >= account.version) return;
    // The account with the oldest change is dropped first.
    putRecent(accounts, { key: id, value: account, max: accountsMax });
  };

  return {
    get: (id) => accounts.get(id) ?? null,
    put,
    async read({ accountId: id, version }) {
      const cached = accounts.get(id);
      if (cached !== undefined && cached.version >= version) return cached;
      return loads.submit(id);
    },
    async loadExposed() {
      const all: VersionedState[] = [];
      let after: string | null = null;
      for (;;) {
        const page: readonly StoredAccount[] = await loadExposed(database, { after, limit: PAGE });
        for (const stored of page) {
          const account = committed(stored);
          put(account);
          all.push(account);
        }
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) return all;
        after = accountId(last.accountId);
      }
    },
  };
}

export function committed({ state, version, headHash }: StoredAccount): CommittedAccount {
  return { state, version, headHash };
}
