import type { AccountId } from "@propgate/core";
import {
  DatabaseAtFault,
  type Execution,
  type Executor,
  isRetryable,
  type VersionedState,
} from "@propgate/ledger";

export interface SettlementsOptions {
  readonly executor: Executor;
  /**
   * Called with the account after a settlement that the network carried out, whether or not the account has changed.
   */
  readonly observe: (account: VersionedState) => void;
  /** Called when a settlement made no change, was refused, did not happen, or has an unknown fate. */
  readonly onUnchanged: (accountId: AccountId) => void;
  /**
   * Called when a settlement did not happen or has an unknown fate. The account may have changed without this loop
   * knowing.
   */
  readonly onUnsettled: (accountId: AccountId) => void;
  /** Called with the unexpected errors of settlements. */
  readonly onFault: (cause: unknown) => void;
}

/** Settles the accounts that prices affect, each with one settlement at a time. */
export interface Settlements {
  /**
   * Settles the account immediately. A nomination during its settlement causes another settlement afterwards. Resolves
   * when the account has settled. `holds` tells which quotes wait until then: those of the order's pair, or those of
   * all pairs when the account is ended or passed.
   */
  nominate(accountId: AccountId, holds: "itsPrice" | "allPrices"): Promise<void>;
  /**
   * Settles the account when a slot is free, at the newest prices of that moment. Each account waits at most once, and
   * no waiting account delays a nominated one. Resolves when the account has settled.
   */
  postpone(accountId: AccountId): Promise<void>;
  /** The number of nominated accounts that are not settled. */
  readonly pending: number;
  /** Resolves when the accounts nominated at this moment have settled, their follow-ups included. */
  whenCurrentSettled(): Promise<void>;
  /** Resolves when the accounts that hold back all prices at this moment have settled. */
  whenNoneHoldsAll(): Promise<void>;
  /** Resolves when no account is nominated or postponed. */
  whenAllSettled(): Promise<void>;
}

/**
 * The maximum number of postponed settlements that run at the same time: few enough to leave the database to orders.
 */
const POSTPONED_CONCURRENT_MAX = 16;

/** The settlement of one account; `again` is true when another one must follow. */
interface Job {
  isNominated: boolean;
  isRunning: boolean;
  again: boolean;
  readonly done: Promise<void>;
  readonly resolve: () => void;
}

export function createSettlements(options: SettlementsOptions): Settlements {
  const jobs = new Map<AccountId, Job>();
  const nominated = new Map<AccountId, Promise<void>>();
  const holdingAll = new Map<AccountId, Promise<void>>();
  const postponed = new Set<AccountId>();
  let room = POSTPONED_CONCURRENT_MAX;

  const jobOf = (accountId: AccountId): Job => {
    const known = jobs.get(accountId);
    if (known !== undefined) return known;
    const job = newJob();
    jobs.set(accountId, job);
    return job;
  };
  const end = (accountId: AccountId, job: Job) => {
    job.isRunning = false;
    if (job.again) {
      postponed.add(accountId);
      return;
    }
    jobs.delete(accountId);
    nominated.delete(accountId);
    holdingAll.delete(accountId);
    job.resolve();
  };
  const run = async (accountId: AccountId, job: Job): Promise<void> => {
    job.isRunning = true;
    // The account must count as running before its settlement can end.
    await Promise.resolve();
    do {
      job.again = false;
      if (!(await settle(options, accountId))) {
        job.again = false;
        break;
      }
    } while (job.again && job.isNominated);
    end(accountId, job);
  };
  const runPostponed = (): void => {
    for (const accountId of postponed) {
      if (room === 0) return;
      postponed.delete(accountId);
      room -= 1;
      void run(accountId, jobOf(accountId)).then(() => {
        room += 1;
        runPostponed();
      });
    }
  };

  return {
    nominate(accountId, holds) {
      const job = jobOf(accountId);
      job.isNominated = true;
      nominated.set(accountId, job.done);
      if (holds === "allPrices") holdingAll.set(accountId, job.done);
      job.again = job.isRunning;
      if (job.isRunning) return job.done;
      postponed.delete(accountId);
      void run(accountId, job);
      return job.done;
    },
    postpone(accountId) {
      const job = jobOf(accountId);
      if (job.isRunning) job.again = true;
      else postponed.add(accountId);
      runPostponed();
      return job.done;
    },
    get pending() {
      return nominated.size;
    },
    async whenCurrentSettled() {
      await Promise.all(nominated.values());
    },
    async whenNoneHoldsAll() {
      await Promise.all(holdingAll.values());
    },
    async whenAllSettled() {
      while (jobs.size > 0) await Promise.all([...jobs.values()].map(({ done }) => done));
    },
  };
}

function newJob(): Job {
  let resolve = () => {};
  const done = new Promise<void>((settled) => {
    resolve = settled;
  });
  return { isNominated: false, isRunning: false, again: false, done, resolve };
}

/** Settles an account. False when the settlement did not happen here, or its fate is unknown. */
async function settle(options: SettlementsOptions, accountId: AccountId): Promise<boolean> {
  let execution: Execution;
  try {
    execution = await options.executor.submit({
      accountId,
      command: { type: "settlePrices" },
      origin: { by: "market" },
    });
  } catch (cause) {
    // Five causes are expected, and the next check of all prices settles the account again: the account's database
    // fails; the account is ahead of this node's quotes or clock; the data may only be read; this node's clock is
    // wrong; or the account's lease has ended and may be renewed before another node takes the account.
    const isExpected = isRetryable(cause) || cause instanceof DatabaseAtFault;
    if (!isExpected) options.onFault(cause);
    options.onUnchanged(accountId);
    options.onUnsettled(accountId);
    return false;
  }
  if (execution.ok) options.observe(execution.account);
  if (!execution.ok || execution.events.length === 0) options.onUnchanged(accountId);
  return true;
}
