import { createMicroBatcher } from "@propgate/base";
import { type AccountId, accountId, parseEvent, parseState, type UnixMs } from "@propgate/core";
import type { Queryable } from "../storage/databases/database.ts";
import { PARTITIONS } from "../storage/rows/partition.ts";
import type { QuotePosition } from "../storage/rows/quote-position.ts";
import { loadAccounts, loadExposed, type StoredAccount } from "../storage/stores/account-rows.ts";
import type { Decider } from "./execution/decide-command.ts";
import type { VersionedState } from "./executor-port.ts";
import type { ReadAt } from "./network/port.ts";
import { createSharedTerms } from "./shared-terms.ts";
import { createStateMemory, type HistoryListener, isAtVersion } from "./state-memory.ts";

/** A committed account, with the hash of the journal line that led to its version. */
export interface CommittedAccount extends VersionedState {
  readonly headHash: Uint8Array;
  /** The place (epoch and number) of the newest quote that a decision on the account has read. */
  readonly place: QuotePosition;
  /** The newest epoch among the lost quotes that decisions on the account had read; 0 when none was lost. */
  readonly lostEpoch: number;
  /**
   * True when this process decided this version. A process's quotes never go back, so it has all quotes up to `place`.
   */
  readonly isDecidedHere: boolean;
  /** The time of the journal line that led to this version. */
  readonly lastAtMs: UnixMs;
}

/**
 * The committed states in memory, each identified by its version and the hash of its line. When a read shows that the
 * database has lost a state, memory forgets it. @rule D13.namedByHash
 */
export interface StateCache {
  get(id: AccountId): CommittedAccount | null;
  /** Keeps the account unless a state of the same or a later version is already kept. */
  put(account: CommittedAccount): void;
  /**
   * The account at the version of `at` or a later one; null when there is no such account. Memory answers only when it
   * has exactly the version and the hash of `at`. Otherwise the account is read from the database, and compared with
   * the one in memory. Rejects when the account's snapshot and journal give no state.
   */
  read(at: ReadAt): CommittedAccount | Promise<CommittedAccount | null>;
  /** False when memory has a state of this account with another version or another hash than `at`. */
  mayAnswer(at: ReadAt): boolean;
  /**
   * Called with an account whose lines were lost, after memory has the account of the database. The account is null
   * when the database does not have it.
   */
  onHistoryChanged(listener: HistoryListener): void;
  /** How many times the history of any account has changed since the start. */
  historiesChanged(): number;
  /**
   * Reads the newest versions of these accounts from the database. Unknown accounts are missing. So are accounts that
   * cannot be read, which are reported.
   */
  load(ids: readonly AccountId[]): Promise<readonly CommittedAccount[]>;
  /**
   * The newest versions of these accounts, without those that are unknown or cannot be read. An account that memory has
   * at the given version comes from memory. The others are read and not kept, so that a read of all accounts replaces
   * no state in memory.
   */
  readUncached(accounts: readonly ReadAt[]): Promise<readonly CommittedAccount[]>;
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
    /** Called with the cause when an account cannot be read. The others of the same read are returned. */
    readonly onFault: (cause: unknown) => void;
    readonly accountsMax?: number;
  },
): StateCache {
  const { evolve, onFault, accountsMax = 200_000 } = options;
  /** The causes for which accounts could not be read. */
  const unreadable = new Map<AccountId, unknown>();
  const listeners: HistoryListener[] = [];
  let changes = 0;
  const sharedTerms = createSharedTerms();
  const states = createStateMemory({
    accountsMax,
    onChanged(cause, ...changed) {
      changes += 1;
      onFault(cause);
      for (const listener of listeners) listener(...changed);
    },
  });
  const loads = createMicroBatcher<AccountId, CommittedAccount | null>({
    batchMax: LOADS_BATCH_MAX,
    concurrentMax: LOADS_CONCURRENT_MAX,
    run: async (ids) => {
      const found = await load([...new Set(ids)]);
      const known = new Set(found.map(({ state }) => state.accountId));
      return ids.map((id) => (known.has(id) ? states.get(id) : null));
    },
  });

  const made = (stored: readonly StoredAccount[]): readonly CommittedAccount[] =>
    stored.flatMap((one) => {
      const id = accountId(one.accountId);
      try {
        const read = foldStoredAccount(one, evolve);
        unreadable.delete(id);
        return [{ ...read, state: { ...read.state, terms: sharedTerms(read.state.terms) } }];
      } catch (cause) {
        if (!unreadable.has(id)) onFault(cause);
        unreadable.set(id, cause);
        return [];
      }
    });
  const keep = (stored: readonly StoredAccount[], keptAt: number): readonly CommittedAccount[] =>
    made(stored).map((account) => {
      const { accountId: id } = account.state;
      states.compare(id, account, keptAt);
      states.put(account);
      const known = states.get(id);
      return known?.version === account.version ? known : account;
    });
  const load: StateCache["load"] = async (ids) => {
    const keptAt = states.putCount();
    const stored = await loadAccounts(database, ids);
    const found = new Set(stored.map((one) => one.accountId));
    for (const id of ids) if (!found.has(id)) states.compare(id, null, keptAt);
    return keep(stored, keptAt);
  };

  const throwIfUnreadable = (id: AccountId): void => {
    if (unreadable.has(id)) throw unreadable.get(id);
  };

  const loadOne = async (id: AccountId): Promise<CommittedAccount | null> => {
    const loaded = await loads.submit(id);
    if (loaded === null) throwIfUnreadable(id);
    return loaded;
  };

  return {
    get: (id) => states.get(id),
    put: (account) => states.put(account),
    load,
    async readUncached(accounts) {
      const known: CommittedAccount[] = [];
      const others: AccountId[] = [];
      for (const at of accounts) {
        const cached = states.get(at.accountId);
        if (cached !== null && isAtVersion(cached, at)) known.push(cached);
        else others.push(at.accountId);
      }
      const read = others.length === 0 ? [] : made(await loadAccounts(database, others));
      return [...known, ...read];
    },
    throwIfUnreadable,
    read(at) {
      const cached = states.get(at.accountId);
      return cached !== null && isAtVersion(cached, at) ? cached : loadOne(at.accountId);
    },
    mayAnswer(at) {
      const cached = states.get(at.accountId);
      return cached === null || isAtVersion(cached, at);
    },
    onHistoryChanged: (listener) => void listeners.push(listener),
    historiesChanged: () => changes,
    async loadExposed(partition) {
      const all: CommittedAccount[] = [];
      const firstPartition = partition ?? 0;
      const lastPartition = partition ?? PARTITIONS - 1;
      let after: AccountId | null = null;
      for (;;) {
        const keptAt = states.putCount();
        const page: readonly StoredAccount[] = await loadExposed(database, {
          firstPartition,
          lastPartition,
          after,
          limit: PAGE,
        });
        all.push(...keep(page, keptAt));
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) return all;
        after = accountId(last.accountId);
      }
    },
  };
}

/**
 * The account at its version: its snapshot with the later events applied, as `journal rebuild` does it. Throws when the
 * journal does not have exactly the lines from the snapshot to the version.
 */
function foldStoredAccount(stored: StoredAccount, evolve: Decider["evolve"]): CommittedAccount {
  const { version, headHash, stateVersion, later, place, lostEpoch, lastAtMs } = stored;
  if (stateVersion + later.length !== version) {
    throw new Error(
      `account ${stored.accountId} cannot be read: its journal has other lines than ${stateVersion + 1} to ${version}`,
    );
  }
  // Only the executor and a rebuild write a snapshot, always from an `AccountState`.
  let state = parseState(stored.state);
  for (const event of later) state = evolve(state, parseEvent(event));
  return { state, version, headHash, place, lostEpoch, isDecidedHere: false, lastAtMs };
}
