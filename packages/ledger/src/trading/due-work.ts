import type { Clock } from "@propgate/base";
import {
  type AccountId,
  type AwaitedPrice,
  accountId,
  awaitedPrice,
  type Moment,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { Database } from "../storage/databases/database.ts";
import { createAccountStore, type DueAccount } from "../storage/stores/account-store.ts";
import { type AwaitedPriceCount, createBlockedAccounts } from "./blocked-accounts.ts";
import type { Executor } from "./executor-port.ts";
import type { Ownership } from "./ownership.ts";
import { isDatabaseFailure, isRetryable } from "./try-later.ts";

/**
 * Runs the work that time alone makes due, such as the end of a day. The due time of each account is stored with its
 * state, so work that a stopped service missed is found and done later. A timer calls this; in the sandbox, the moving
 * clock does.
 */
export interface DueWork {
  /** The first due time of any account after this moment; null when there is none. */
  nextDueMs(after: UnixMs): Promise<UnixMs | null>;
  /**
   * Tries all due work once for each account. Running it again has no further effect. Rejects when the database fails;
   * the remaining work stays due.
   */
  runDue(): Promise<DueRun>;
  /** Like `runDue`, but leaves out accounts whose work has failed or waits for a price until their next retry. */
  runUnblocked(): Promise<DueRun>;
  /** The work of this node that is due and not done. */
  lag(): Promise<DueLag>;
  /**
   * Like `lag`, with the due accounts of all nodes. `newestLatenessMs` and `awaited` are still of this process alone.
   */
  lagOfAllNodes(): Promise<DueLag>;
  /** The prices for which due work of this process waits. */
  awaitedPrices(): readonly AwaitedPriceCount[];
}

/** The result of one call of `runDue` or `runUnblocked`. */
export interface DueRun {
  /** The number of accounts whose due work was done. */
  readonly accounts: number;
  /** The greatest lateness of the work that was done; null when no work was done. */
  readonly latenessMs: number | null;
}

/** The work that is due and not done. */
export interface DueLag {
  /** The number of accounts whose due work is not done: just due, failed, or waiting for a price. */
  readonly waiting: number;
  /** The due time of the oldest of this work; null when there is none. */
  readonly oldestDueAtMs: UnixMs | null;
  /** The lateness of the work in the newest run of this process that did any; null before the first. */
  readonly newestLatenessMs: number | null;
  /** The prices for which due work of this process waits. @rule D13.judges */
  readonly awaited: readonly AwaitedPriceCount[];
}

const BEFORE_ALL: DueAccount = {
  accountId: accountId("00000000-0000-0000-0000-000000000000"),
  dueAtMs: unixMs(0),
};

/** The maximum number of accounts in one transaction. A larger one would delay an order that arrives at midnight. */
const PAGE = 100;
/** The maximum number of accounts in one read. Reads are cheap, and blocked accounts are read and skipped. */
const READ_ACCOUNTS_MAX = 1_000;

/** Creates the due work of one node. @rule D7.clockWork */
export function createDueWork(options: {
  readonly database: Database;
  readonly executor: Executor;
  /** The partitions whose work this node does; all when absent. */
  readonly ownership?: Pick<Ownership, "partitions"> | undefined;
  readonly clock: Clock;
  readonly market: Pick<Moment, "quotes" | "instruments">;
  /** Called once for an account whose work throws; the other accounts go on. */
  readonly onFault: (cause: unknown) => void;
}): DueWork {
  const { clock, ownership } = options;
  const partitions = (): readonly number[] | null => ownership?.partitions() ?? null;
  const store = createAccountStore(options.database);
  /** The due time of the work that failed last, by account, so that a failure is reported once. */
  const faults = new Map<AccountId, UnixMs>();
  const blocked = createBlockedAccounts(options.market.quotes);
  let newestLatenessMs: number | null = null;

  /**
   * Does the account's due work. Returns how late it was in milliseconds, the price that it waits for, or null when it
   * was not done for another reason.
   */
  const passTime = async ({
    accountId: id,
    dueAtMs,
  }: DueAccount): Promise<number | AwaitedPrice | null> => {
    try {
      const execution = await options.executor.submit({
        accountId: id,
        command: { type: "passTime" },
        origin: { by: "clock" },
      });
      faults.delete(id);
      if (!execution.ok) return null;
      const [first] = execution.events;
      if (first !== undefined) return first.atMs - dueAtMs;
      const prices = { ...options.market, now: clock.now() };
      return awaitedPrice(execution.account.state, prices, "clock");
    } catch (cause) {
      if (isDatabaseFailure(cause)) throw cause;
      // Another node decides the account, or has decided it at newer quotes. The next run finds the remaining work.
      if (isRetryable(cause)) return null;
      if (faults.get(id) !== dueAtMs) options.onFault(cause);
      faults.set(id, dueAtMs);
      return null;
    }
  };

  const tryOne = async (account: DueAccount): Promise<number | null> => {
    const outcome = await passTime(account);
    const isLate = typeof outcome === "number";
    blocked.recordAttempt(account, clock.now(), isLate ? "done" : (outcome ?? "failed"));
    return isLate ? outcome : null;
  };
  const run = async (isSkipped: (account: DueAccount) => boolean): Promise<DueRun> => {
    const now = clock.now();
    const lateness: number[] = [];
    const seen = new Set<AccountId>();
    let after = BEFORE_ALL;
    for (;;) {
      const read = await store.due(now, {
        after,
        limit: READ_ACCOUNTS_MAX,
        partitions: partitions(),
      });
      for (const { accountId: id } of read) seen.add(id);
      const tried = read.filter((account) => !isSkipped(account));
      for (let first = 0; first < tried.length; first += PAGE) {
        const done = await Promise.all(tried.slice(first, first + PAGE).map(tryOne));
        lateness.push(...done.filter((late) => late !== null));
      }
      const last = read.at(-1);
      if (last === undefined || read.length < READ_ACCOUNTS_MAX) break;
      after = last;
    }
    blocked.keepOnly(seen);
    const latenessMs = lateness.length === 0 ? null : lateness.reduce(greaterOf);
    newestLatenessMs = latenessMs ?? newestLatenessMs;
    return { accounts: lateness.length, latenessMs };
  };

  const lagOf = async (within: readonly number[] | null): Promise<DueLag> => ({
    ...(await store.dueLag(clock.now(), { partitions: within })),
    newestLatenessMs,
    awaited: blocked.awaitedPrices(),
  });

  return {
    nextDueMs: (after) => store.firstDueAfter(after),
    runDue: () => run(() => false),
    runUnblocked: () => run((account) => blocked.isWaiting(account, clock.now())),
    lag: () => lagOf(partitions()),
    lagOfAllNodes: () => lagOf(null),
    awaitedPrices: () => blocked.awaitedPrices(),
  };
}

function greaterOf(one: number, other: number): number {
  return Math.max(one, other);
}
