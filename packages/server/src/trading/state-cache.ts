import { type AccountId, type AccountState, accountId, parseEvent } from "@propgate/core";
import { createMicroBatch } from "../base/micro-batch.ts";
import type { Queryable } from "../storage/databases/database.ts";
import { PARTITIONS } from "../storage/rows/partition.ts";
import type { QuotePlace } from "../storage/rows/quote-place.ts";
import { loadAccounts, loadExposed, type StoredAccount } from "../storage/stores/account-rows.ts";
import type { Decider } from "./decider.ts";
import type { VersionedState } from "./executor-port.ts";
import { putRecent } from "./network/history/recent-entries.ts";
import type { ReadAt } from "./network/port.ts";

/** A committed state with the hash of the journal line that made it. */
export interface CommittedAccount extends VersionedState {
  readonly headHash: Uint8Array;
  /** The place of the newest quote that a decision on the account has read. */
  readonly place: QuotePlace;
  /** The newest epoch of which quotes that the account was decided at were lost; 0 without one. */
  readonly lostEpoch: number;
  /** True when this process made this version: its board never goes back, so it has the quotes up to `place`. */
  readonly isDecidedHere: boolean;
}

/** Committed states in memory: never ahead of the database, and behind it only between reads. */
export interface StateCache {
  get(id: AccountId): CommittedAccount | null;
  /** Keeps the newer version. */
  put(account: CommittedAccount): void;
  /**
   * The account at that version or a later one; null when there is no such account. Rejects when its
   * snapshot and journal give no state.
   */
  read(at: ReadAt): CommittedAccount | Promise<CommittedAccount | null>;
  /**
   * Reads the newest versions of these accounts from the database. Unknown accounts are missing, and those
   * that cannot be read, which are reported.
   */
  load(ids: readonly AccountId[]): Promise<readonly CommittedAccount[]>;
  /** @throws when the account's snapshot and journal gave no state */
  throwIfUnreadable(id: AccountId): void;
  /** Loads every account with open positions or pending orders, of this partition or of all, and returns them. */
  loadExposed(partition?: number): Promise<readonly CommittedAccount[]>;
}

const PAGE = 1000;
const LOADS_BATCH_MAX = 256;
const LOADS_CONCURRENT_MAX = 2;

export function createStateCache(
  database: Queryable,
  options: {
    readonly evolve: Decider["evolve"];
    /** Called with the reason why an account cannot be read; all others are. */
    readonly onFault: (cause: unknown) => void;
    readonly accountsMax?: number;
  },
): StateCache {
  const { evolve, onFault, accountsMax = 200_000 } = options;
  /** Why accounts could not be read. */
  const unreadable = new Map<AccountId, unknown>();
  const accounts = new Map<AccountId, CommittedAccount>();
  const loads = createMicroBatch<AccountId, CommittedAccount | null>({
    batchMax: LOADS_BATCH_MAX,
    concurrentMax: LOADS_CONCURRENT_MAX,
    run: async (ids) => {
      const found = await load([...new Set(ids)]);
      const known = new Set(found.map(({ state }) => state.accountId));
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

  const keep = (stored: readonly StoredAccount[]): readonly CommittedAccount[] => {
    return stored.flatMap((one) => {
      const id = accountId(one.accountId);
      try {
        const account = committed(one, evolve);
        unreadable.delete(id);
        put(account);
        const known = accounts.get(id);
        return [known?.version === account.version ? known : account];
      } catch (cause) {
        if (!unreadable.has(id)) onFault(cause);
        unreadable.set(id, cause);
        return [];
      }
    });
  };
  const load: StateCache["load"] = async (ids) => keep(await loadAccounts(database, ids));

  const throwIfUnreadable = (id: AccountId): void => {
    if (unreadable.has(id)) throw unreadable.get(id);
  };

  const loadOne = async (id: AccountId): Promise<CommittedAccount | null> => {
    const loaded = await loads.submit(id);
    if (loaded === null) throwIfUnreadable(id);
    return loaded;
  };

  return {
    get: (id) => accounts.get(id) ?? null,
    put,
    load,
    throwIfUnreadable,
    read({ accountId: id, version }) {
      const cached = accounts.get(id);
      if (cached !== undefined && cached.version >= version) return cached;
      return loadOne(id);
    },
    async loadExposed(partition) {
      const all: CommittedAccount[] = [];
      const firstPartition = partition ?? 0;
      const lastPartition = partition ?? PARTITIONS - 1;
      let after: AccountId | null = null;
      for (;;) {
        const page: readonly StoredAccount[] = await loadExposed(database, {
          firstPartition,
          lastPartition,
          after,
          limit: PAGE,
        });
        all.push(...keep(page));
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) return all;
        after = accountId(last.accountId);
      }
    },
  };
}

/** The account at its version: its snapshot with the later events, as `journal rebuild` folds them. */
function committed(stored: StoredAccount, evolve: Decider["evolve"]): CommittedAccount {
  const { version, headHash, stateVersion, later, place, lostEpoch } = stored;
  if (stateVersion + later.length !== version) {
    throw new Error(
      `account ${stored.accountId} cannot be read: its journal has other lines than ${stateVersion + 1} to ${version}`,
    );
  }
  // Only the executor and a rebuild write a snapshot, always from an `AccountState`.
  let state = JSON.parse(stored.state) as AccountState;
  for (const event of later) state = evolve(state, parseEvent(event));
  return { state, version, headHash, place, lostEpoch, isDecidedHere: false };
}
