import {
  type AccountId,
  type Command,
  dueAtMs,
  type Event,
  type Instruments,
  type Moment,
  type Quotes,
} from "@propgate/core";
import type { Clock } from "../clock.ts";
import { microBatch } from "../micro-batch.ts";
import { lockAccounts, writeBatch } from "../storage/account-rows.ts";
import type { Database, Queryable } from "../storage/database.ts";
import { isTakenBack } from "../storage/database-error.ts";
import { type Batch, createBatch } from "./batch.ts";
import type { Decider } from "./decider.ts";
import type { CommitListener, Execution, Executor, Submission } from "./executor-port.ts";
import { type CommittedAccount, committed, type StateCache } from "./state-cache.ts";
import { UnknownFate } from "./unknown-fate.ts";

export interface ExecutorOptions {
  readonly database: Database;
  readonly cache: StateCache;
  readonly decider: Decider;
  readonly clock: Clock;
  /** The board as it is when it is asked. */
  readonly quotes: () => Quotes;
  readonly instruments: Instruments;
  /** Commands of one transaction; 1 is one transaction a command. */
  readonly batchMax?: number;
}

/** A fault of one command: the others of its batch go on. */
type Outcome = Execution | { readonly fault: unknown };

interface Decided {
  readonly outcomes: readonly Outcome[];
  readonly moved: readonly CommittedAccount[];
}

const BATCH_MAX = 512;

/** The executor over a database. @rule S3.orders */
export function createExecutor(options: ExecutorOptions): Executor {
  const { database, cache } = options;
  const listeners: CommitListener[] = [];
  const doubters: ((accounts: ReadonlySet<AccountId>) => void)[] = [];

  const carryOut = (submissions: readonly Submission[]): Promise<Decided> =>
    database.transaction(async (transaction) => {
      const accounts = await lock(transaction, cache, submissions);
      const batch = createBatch(accounts, options.instruments);
      const outcomes = submissions.map((submission) => decideOne(options, batch, submission));
      const moved = batch.moved();
      if (moved.length > 0) await writeBatch(transaction, batch.rows());
      return { outcomes, moved };
    });

  const run = async (submissions: readonly Submission[]): Promise<readonly Outcome[]> => {
    const { outcomes, moved } = await withSecondTry(() => carryOut(submissions)).catch((cause) => {
      const accounts = new Set(submissions.map(({ accountId }) => accountId));
      for (const doubter of doubters) doubter(accounts);
      throw cause;
    });
    for (const account of moved) cache.put(account);
    if (moved.length > 0) for (const listener of listeners) listener(moved);
    return outcomes;
  };

  const batches = microBatch<Submission, Outcome>({
    most: options.batchMax ?? BATCH_MAX,
    atOnce: 1,
    run,
  });
  return {
    async submit(submission) {
      const outcome = await batches.submit(submission);
      if ("fault" in outcome) throw outcome.fault;
      return outcome;
    },
    idle: () => batches.idle(),
    onCommit: (listener) => void listeners.push(listener),
    onUnknownFate: (doubter) => void doubters.push(doubter),
  };
}

async function lock(
  transaction: Queryable,
  cache: StateCache,
  submissions: readonly Submission[],
): Promise<ReadonlyMap<AccountId, CommittedAccount>> {
  const cached = new Map<AccountId, CommittedAccount | null>();
  for (const { accountId } of submissions) cached.set(accountId, cache.get(accountId));
  const versions = new Map([...cached].map(([id, account]) => [id, account?.version ?? 0]));
  const accounts = new Map<AccountId, CommittedAccount>();
  for (const stored of await lockAccounts(transaction, versions)) {
    const account = stored.state === null ? cachedAs(cached, stored.accountId) : committed(stored);
    accounts.set(account.state.accountId, account);
  }
  return accounts;
}

function cachedAs(
  cached: ReadonlyMap<string, CommittedAccount | null>,
  id: string,
): CommittedAccount {
  const account = cached.get(id) ?? null;
  if (account === null) throw new Error("broken invariant: a state in memory or from the database");
  return account;
}

function decideOne(options: ExecutorOptions, batch: Batch, submission: Submission): Outcome {
  const { decider, clock, instruments } = options;
  try {
    const before = batch.current(submission.accountId);
    const moment = { now: clock.now(), quotes: options.quotes(), instruments };
    const decision = decider.decide(before?.state ?? null, submission.command, moment);
    if (!decision.ok) {
      if (before !== null) keepDue({ decider, batch, submission, before, moment });
      return decision;
    }
    const events = decision.value;
    const account = apply({ decider, batch, submission, before, events });
    return { ok: true, events, account };
  } catch (fault) {
    return { fault };
  }
}

/**
 * What had fallen due happened before the command was refused, and may be why: the end of a day can
 * end the account. It stands, or a later look, at other prices, would make something else of it.
 * @rule D7.clockWork
 */
function keepDue(need: {
  readonly decider: Decider;
  readonly batch: Batch;
  readonly submission: Submission;
  readonly before: CommittedAccount;
  readonly moment: Moment;
}): void {
  const { decider, batch, before, moment } = need;
  const due = dueAtMs(before.state, moment.instruments);
  if (due === null || due > moment.now) return;
  const command: Command = { type: "passTime" };
  const done = decider.decide(before.state, command, moment);
  if (!done.ok) return;
  const { accountId } = need.submission;
  const submission: Submission = { accountId, command, origin: { by: "clock" } };
  apply({ decider, batch, submission, before, events: done.value });
}

function apply(need: {
  readonly decider: Decider;
  readonly batch: Batch;
  readonly submission: Submission;
  readonly before: CommittedAccount | null;
  readonly events: readonly Event[];
}): CommittedAccount {
  const { decider, batch, submission, before, events } = need;
  let state = before?.state ?? null;
  const steps = events.map((event) => {
    state = decider.evolve(state, event);
    return { event, state };
  });
  if (before !== null && steps.length === 0) return before;
  return batch.append(submission, steps);
}

async function withSecondTry(work: () => Promise<Decided>): Promise<Decided> {
  try {
    return await work();
  } catch (cause) {
    if (!isTakenBack(cause)) throw new UnknownFate(cause);
  }
  try {
    return await work();
  } catch (cause) {
    throw new UnknownFate(cause);
  }
}
