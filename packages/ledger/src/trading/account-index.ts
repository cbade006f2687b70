import { createMicroBatch } from "@propgate/base";
import type { AccountId, AccountState } from "@propgate/core";
import type { AccountActivity } from "../storage/rows/account-activity.ts";
import type { PerShard } from "../storage/shards/per-shard.ts";
import type { AccountIndexStore, IndexRow } from "../storage/stores/account-index-store.ts";
import type { StateCache } from "./state-cache.ts";

/** A committed account, with the figures that its state does not contain. */
export interface IndexedAccount {
  readonly version: number;
  readonly state: AccountState;
  readonly activity: AccountActivity;
}

/**
 * All accounts of a database in memory, for lists that are filtered and sorted by figures which move with prices. It
 * is empty until the first read, which reads every account, and follows the journal's lines afterwards, also those
 * of other processes.
 */
export interface AccountIndex {
  /** The accounts, each at its version of the call or a later one; without those that cannot be read. */
  read(): Promise<readonly IndexedAccount[]>;
  /** The same of one account; null for an unknown one, and one that cannot be read. */
  find(account: AccountId): Promise<IndexedAccount | null>;
  /** Reads the changes since, so that the next read has less to do. Does nothing before the first one. */
  follow(): Promise<void>;
  /** Every account is read again at the next read: stored rows were replaced, as a rebuild does. */
  forget(): void;
}

/** The selection: all accounts, one of them, or none. */
type Wanted = "all" | AccountId | null;

const PAGE = 1_000;
const READERS_MAX = 1_000;

export function createAccountIndex(options: {
  readonly store: AccountIndexStore;
  readonly cache: Pick<StateCache, "pass" | "onHistoryChanged">;
}): AccountIndex {
  const { store, cache } = options;
  const accounts = new Map<AccountId, IndexedAccount>();
  /** Accounts that have lost lines. */
  const doubtful = new Set<AccountId>();
  /** Up to where the lines were followed; null before the first read. */
  let place: bigint | null = null;
  let isForgotten = false;
  cache.onHistoryChanged((id) => void doubtful.add(id));

  const put = async (rows: readonly IndexRow[]): Promise<void> => {
    for (let at = 0; at < rows.length; at += PAGE) {
      const page = rows.slice(at, at + PAGE);
      const activities = new Map(page.map(({ accountId, activity }) => [accountId, activity]));
      for (const { state, version } of await cache.pass(page)) {
        const activity = activities.get(state.accountId);
        if (activity !== undefined) accounts.set(state.accountId, { state, version, activity });
      }
    }
  };
  const readAll = async (): Promise<bigint> => {
    accounts.clear();
    doubtful.clear();
    // First: lines that are written during the walk are read again afterwards.
    const before = await store.place();
    let after: AccountId | null = null;
    for (;;) {
      const rows: readonly IndexRow[] = await store.page(after, PAGE);
      await put(rows);
      after = rows.at(-1)?.accountId ?? null;
      if (rows.length < PAGE) return before;
    }
  };
  const readDoubtful = async (): Promise<void> => {
    if (doubtful.size === 0) return;
    const ids = [...doubtful];
    doubtful.clear();
    for (const id of ids) accounts.delete(id);
    await put(await store.these(ids));
  };
  const catchUp = async (): Promise<void> => {
    if (isForgotten) place = null;
    isForgotten = false;
    const from = place ?? (await readAll());
    // Set only at the end, so that a failure leaves nothing out.
    const { place: now, rows } = await store.changedSince(from);
    // The database went back to an earlier state and has lost lines.
    if (now < from) {
      place = null;
      await catchUp();
      return;
    }
    await put(rows.filter((row) => accounts.get(row.accountId)?.version !== row.version));
    await readDoubtful();
    place = now;
  };
  /** One reading at a time; a call that comes meanwhile waits for the next, which has all that was committed. */
  const readings = createMicroBatch<Wanted, readonly IndexedAccount[]>({
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
export function shardedIndex(indices: PerShard<AccountIndex>): AccountIndex {
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
