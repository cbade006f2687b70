import type { Timer } from "@propgate/base";
import type { AccountId } from "@propgate/core";
import type { AccountStore } from "../../storage/stores/account-store.ts";
import type { Executor } from "../executor-port.ts";

/** Calls the listener once if the request ends early. The returned function removes the listener. */
export type OnRequestEnd = (listener: () => void) => () => void;

/** One request that waits for a commit on an account. */
export interface CommitWait {
  /** True when the time of the wait has passed or its request is over. */
  readonly isOver: boolean;
  /**
   * Resolves when a newer version is known, or when the wait is over. Commits since the wait was opened count. Also
   * resolves when the account is found at an older version, because then its journal may have lost lines.
   */
  newerThan(version: number): Promise<void>;
  close(): void;
}

/** Lets requests wait for commits without occupying a connection of the database. */
export interface CommitWaits {
  /** Begins a wait; null when the maximum number of requests already wait on the account. */
  open(
    account: AccountId,
    until: { readonly ms: number; readonly over: OnRequestEnd },
  ): CommitWait | null;
  /**
   * Calls the listener with each version of the account that becomes known, until the returned function is called.
   * When the database answers again after a failure, it calls the listener with 0, because this database may lack the
   * last commits.
   * Followers do not count towards the maximum of waits; their caller limits them.
   */
  follow(account: AccountId, listener: (version: number) => void): () => void;
}

/** The interval at which commits of other nodes are looked up, with one statement for all waiting accounts. */
const CHECK_MS = 1_000;
/** Stands for the version of an account after the database has failed. A reader that is woken by it reads again. */
const UNKNOWN_VERSION = 0;

/**
 * Makes the waits of requests. A commit of this node wakes them, and one statement every second looks up the commits of
 * other nodes, so a wait holds no connection of the database. A wait ends with its time or its request.
 * @rule D9.wait decides
 */
export function createCommitWaits(options: {
  readonly executor: Pick<Executor, "onCommit">;
  readonly accounts: Pick<AccountStore, "versions">;
  readonly timer: Timer;
  /** The maximum number of waits on one account. */
  readonly waitsMax: number;
  readonly onFault: (cause: unknown) => void;
}): CommitWaits {
  const { accounts, timer, onFault } = options;
  const waiting = new Map<AccountId, Set<Member>>();
  let isLooping = false;
  let hasFailed = false;

  const reached = (account: AccountId, version: number): void => {
    for (const one of waiting.get(account) ?? []) one.reached(version);
  };
  options.executor.onCommit((changed) => {
    if (waiting.size === 0) return;
    for (const { state, version } of changed) reached(state.accountId, version);
  });

  const check = async (): Promise<void> => {
    const found = await accounts.versions([...waiting.keys()]);
    for (const { accountId, version } of found) {
      if (hasFailed) reached(accountId, UNKNOWN_VERSION);
      reached(accountId, version);
    }
    hasFailed = false;
  };
  const failed = (cause: unknown): void => {
    hasFailed = true;
    onFault(cause);
  };
  const loop = (): void => {
    isLooping = waiting.size > 0;
    if (!isLooping) return;
    timer.after(CHECK_MS, () => {
      if (waiting.size === 0) loop();
      else check().catch(failed).finally(loop);
    });
  };

  const join = (account: AccountId, mine: Member): (() => void) => {
    const group = waiting.get(account) ?? new Set();
    waiting.set(account, group.add(mine));
    if (!isLooping) loop();
    return () => {
      group.delete(mine);
      if (group.size === 0 && waiting.get(account) === group) waiting.delete(account);
    };
  };

  return {
    follow: (account, listener) => join(account, { isFollower: true, reached: listener }),
    open(account, { ms, over }) {
      const waits = [...(waiting.get(account) ?? [])].filter((one) => !one.isFollower);
      if (waits.length >= options.waitsMax) return null;
      const mine = createWaiting();
      const leave = join(account, mine);
      const cancel = timer.after(ms, () => mine.end());
      const forget = over(() => mine.end());
      return {
        get isOver() {
          return mine.isOver;
        },
        newerThan: (version) => mine.newerThan(version),
        close() {
          cancel();
          forget();
          leave();
        },
      };
    },
  };
}

interface Member {
  readonly isFollower: boolean;
  /** Called with a version that the account has reached. */
  readonly reached: (version: number) => void;
}

interface Waiting extends Omit<CommitWait, "close">, Member {
  end(): void;
}

function createWaiting(): Waiting {
  let newest = 0;
  let isOver = false;
  let wake: ((reached: number | null) => void) | null = null;
  return {
    isFollower: false,
    get isOver() {
      return isOver;
    },
    reached(version) {
      newest = Math.max(newest, version);
      wake?.(version);
    },
    end() {
      isOver = true;
      wake?.(null);
    },
    newerThan: (version) =>
      new Promise((resolve) => {
        wake = (reached) => {
          const isBehind = reached !== null && reached < version;
          if (!isOver && !isBehind && newest <= version) return;
          wake = null;
          resolve();
        };
        wake(null);
      }),
  };
}
