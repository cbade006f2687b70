import { createMicroBatcher } from "@propgate/base";
import type { AccountId, AccountState } from "@propgate/core";
import type { AccountActivity } from "../storage/rows/account-activity.ts";
import type { PerShard } from "../storage/shards/per-shard.ts";
import type { AccountIndexStore, IndexRow } from "../storage/stores/account-index-store.ts";
import type { StateCache } from "./state-cache.ts";

/**
 * A committed account, with the times of its last order, its last activity and its end, which its state does not
 * contain.
 */
export interface IndexedAccount {
  readonly version: number;
  readonly state: AccountState;
  readonly activity: AccountActivity;
}

/**
 * All embedded accounts of a database in memory, for lists that are filtered and sorted by figures that depend on
 * prices. It is empty until the first read, which reads every account. After that it follows the journal's lines,
 * including lines that other processes write.
 */
export interface AccountIndex {
  /** The accounts, each at least at the version it had when `read` was called. Unreadable accounts are left out. */
  read(): Promise<readonly IndexedAccount[]>;
  /**
   * One account, at least at the version it had when `find` was called; null for an account that is unknown or cannot
   * be read.
   */
  find(account: AccountId): Promise<IndexedAccount | null>;
  /**
   * Reads the changes since the last read, so that the next one has less to do. Has no effect before the first read.
   */
  follow(): Promise<void>;
  /** Makes the next read read every account again. Call it when stored rows were replaced, as by a rebuild. */
  forget(): void;
}

/** The accounts that one caller reads: all, one of them, or none. */
type IndexQuery = "all" | AccountId | null;

const PAGE = 1_000;
const READERS_MAX = 1_000;

export function createAccountIndex(options: {
  readonly store: AccountIndexStore;
  readonly cache: Pick<StateCache, "readUncached" | "onHistoryChanged">;
}): AccountIndex {
  const { store, cache } = options;
  const accounts = new Map<AccountId, IndexedAccount>();
  /** Accounts that have lost lines by a restore or a failover, and must be read again. */
  const accountsToReadAgain = new Set<AccountId>();
  /** The transaction id up to which the lines were followed; null before the first read. */
  let place: bigint | null = null;
  let isForgotten = false;
  cache.onHistoryChanged((id) => void accountsToReadAgain.add(id));

  const put = async (rows: readonly IndexRow[]): Promise<void> => {
    for (let at = 0; at < rows.length; at += PAGE) {
      const page = rows.slice(at, at + PAGE);
      const activities = new Map(page.map(({ accountId, activity }) => [accountId, activity]));
      for (const { state, version } of await cache.readUncached(page)) {
        const activity = activities.get(state.accountId);
        if (activity !== undefined) accounts.set(state.accountId, { state, version, activity });
      }
    }
  };
  const readAll = async (): Promise<bigint> => {
    accounts.clear();
    accountsToReadAgain.clear();
    // The place is read first, so that lines that are written while the pages are read are read again afterwards.
    const before = await store.oldestOpenTransaction();
    let after: AccountId | null = null;
    for (;;) {
      const rows: readonly IndexRow[] = await store.page(after, PAGE);
      await put(rows);
      after = rows.at(-1)?.accountId ?? null;
      if (rows.length < PAGE) return before;
    }
  };
  const readDoubtful = async (): Promise<void> => {
    if (accountsToReadAgain.size === 0) return;
    const ids = [...accountsToReadAgain];
    accountsToReadAgain.clear();
    for (const id of ids) accounts.delete(id);
    await put(await store.rowsOfAccounts(ids));
  };
  const catchUp = async (): Promise<void> => {
    if (isForgotten) place = null;
    isForgotten = false;
    const from = place ?? (await readAll());
    // `place` is set only at the end, so that the next call reads the lines again after a failure.
    const { place: now, rows } = await store.changedSince(from);
    // A smaller transaction id means that the database has lost lines by a restore or a failover.
    if (now < from) {
      place = null;
      await catchUp();
      return;
    }
    await put(rows.filter((row) => accounts.get(row.accountId)?.version !== row.version));
    await readDoubtful();
    place = now;
  };
  /**
   * Runs one read at a time. Calls that come meanwhile wait for the next read, which sees every commit from before
   * these calls.
   */
  const readings = createMicroBatcher<IndexQuery, readonly IndexedAccount[]>({
    batchMax: READERS_MAX,
    concurrentMax: 1,
    async run(readers) {
      await catchUp();
      const all = readers.includes("all") ? [...accounts.values()] : [];
      return readers.map((wanted) => {
        if (wanted === "all") return all;
        const found = wanted === null ? undefined : accounts.get(wanted);
        return found === undefined ? [] : [found];
      });
    },
  });
  return {
    read: () => readings.submit("all"),
    async find(account) {
      const [found] = await readings.submit(account);
      return found ?? null;
    },
    async follow() {
      if (place !== null) await readings.submit(null);
    },
    forget() {
      isForgotten = true;
    },
  };
}

/** The indices of several databases as one. */
export function createShardedIndex(indices: PerShard<AccountIndex>): AccountIndex {
  if (indices.length === 1) return indices[0];
  return {
    read: async () => (await Promise.all(indices.map((index) => index.read()))).flat(),
    async find(account) {
      const found = await Promise.all(indices.map((index) => index.find(account)));
      return found.find((one) => one !== null) ?? null;
    },
    async follow() {
      await Promise.all(indices.map((index) => index.follow()));
    },
    forget() {
      for (const index of indices) index.forget();
    },
  };
}
