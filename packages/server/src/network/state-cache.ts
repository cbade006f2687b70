import { type AccountId, type AccountState, accountId } from "@propgate/core";
import { microBatch } from "../micro-batch.ts";
import { loadAccounts, loadExposed, type StoredAccount } from "../storage/account-rows.ts";
import type { Database } from "../storage/database.ts";
import type { VersionedState } from "./executor-port.ts";
import { putRecent } from "./history/recent-entries.ts";
import type { ReadAt } from "./port.ts";

/** A committed state with the hash of the journal line that made it. */
export interface CommittedAccount extends VersionedState {
  readonly headHash: Uint8Array;
}

/** Committed states in memory. Never ahead of the database; behind it only while nobody asks. */
export interface StateCache {
  get(id: AccountId): CommittedAccount | null;
  /** Keeps the newer one. */
  put(account: CommittedAccount): void;
  /** The account at that version or a later one; null when there is no such account. */
  read(at: ReadAt): Promise<VersionedState | null>;
  /** Brings every account with open positions or resting orders into memory and returns them. */
  loadExposed(): Promise<readonly VersionedState[]>;
}

const PAGE = 1000;
const LOADS_TOGETHER_MAX = 256;
const LOADS_AT_ONCE = 2;

export function createStateCache(database: Database, most = 200_000): StateCache {
  const accounts = new Map<AccountId, CommittedAccount>();
  const loads = microBatch<AccountId, CommittedAccount | null>({
    most: LOADS_TOGETHER_MAX,
    atOnce: LOADS_AT_ONCE,
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
    // The one that has moved least recently is the first to go.
    putRecent(accounts, { key: id, value: account, most });
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
  return { state: present(state), version, headHash };
}

function present(state: AccountState | null): AccountState {
  if (state === null) throw new Error("broken invariant: a loaded account with its state");
  return state;
}
