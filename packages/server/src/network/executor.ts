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
import { NotCarriedOut } from "../receipts/not-carried-out.ts";
import { lockAccounts, type ReceiptRow, writeBatch } from "../storage/account-rows.ts";
import type { Database, Queryable } from "../storage/database.ts";
import { isTakenBack } from "../storage/database-error.ts";
import { type Batch, createBatch, type Step } from "./batch.ts";
import type { Decider } from "./decider.ts";
import type { CommitListener, Executed, Execution, Executor, Submission } from "./executor-port.ts";
import type { Origin } from "./port.ts";
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

/** Receipts of a batch that had been ended: all of it was taken back, to be done without them. */
class EndedBefore extends Error {
  override readonly name = "EndedBefore";
  readonly receipts: readonly ReceiptRow[];

  constructor(receipts: readonly ReceiptRow[]) {
    super("receipts of the batch had been ended");
    this.receipts = receipts;
  }
}

/** The executor over a database. @rule S3.orders */
export function createExecutor(options: ExecutorOptions): Executor {
  const { database, cache } = options;
  const listeners: CommitListener[] = [];
  const doubters: ((accounts: ReadonlySet<AccountId>) => void)[] = [];

  const carryOut = (
    submissions: readonly Submission[],
    isEnded: (submission: Submission) => boolean,
  ): Promise<Decided> =>
    database.transaction(async (transaction) => {
      const accounts = await lock(transaction, cache, submissions);
      const batch = createBatch(accounts, options.instruments);
      const outcomes = submissions.map((submission) =>
        isEnded(submission)
          ? { fault: new NotCarriedOut() }
          : decideOne(options, batch, submission),
      );
      const moved = batch.moved();
      const rows = batch.rows();
      if (moved.length > 0 || rows.receipts.length > 0) {
        const ended = await writeBatch(transaction, rows);
        if (ended.length > 0) throw new EndedBefore(ended);
      }
      return { outcomes, moved };
    });

  /** Again without those that were ended, of which each time there is at least one more. */
  const carryOutRest = async (submissions: readonly Submission[]): Promise<Decided> => {
    const ended = new Set<string>();
    for (;;) {
      try {
        return await carryOut(submissions, ({ origin }) => ended.has(receiptKey(origin)));
      } catch (cause) {
        if (!(cause instanceof EndedBefore)) throw cause;
        for (const receipt of cause.receipts) ended.add(receiptKey({ by: "key", ...receipt }));
      }
    }
  };

  const run = async (submissions: readonly Submission[]): Promise<readonly Outcome[]> => {
    const { outcomes, moved } = await withSecondTry(() => carryOutRest(submissions)).catch(
      (cause) => {
        const accounts = new Set(submissions.map(({ accountId }) => accountId));
        for (const doubter of doubters) doubter(accounts);
        throw cause;
      },
    );
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
    const { steps, executed } = evolved({ decider, before, events });
    // Ahead of the batch, for a command that ends in a fault may leave nothing of itself in it.
    const receipt = receiptRow(submission, executed, moment);
    const account =
      before !== null && steps.length === 0 ? before : batch.append(submission, steps);
    if (receipt !== null) batch.keep(receipt);
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
  const { steps } = evolved({ decider, before, events: done.value });
  if (steps.length > 0) batch.append(submission, steps);
}

/** What the events make of the account, step by step; nothing of it is in the batch yet. */
function evolved(need: {
  readonly decider: Decider;
  readonly before: CommittedAccount | null;
  readonly events: readonly Event[];
}): { readonly steps: readonly Step[]; readonly executed: Executed | null } {
  const { decider, before, events } = need;
  let state = before?.state ?? null;
  const steps = events.map((event) => {
    state = decider.evolve(state, event);
    return { event, state };
  });
  if (state === null) return { steps, executed: null };
  const version = (before?.version ?? 0) + steps.length;
  return { steps, executed: { ok: true, events, account: { version, state } } };
}

function receiptRow(
  { origin, receiptOf }: Submission,
  executed: Executed | null,
  moment: Moment,
): ReceiptRow | null {
  if (receiptOf === undefined || executed === null) return null;
  const result = receiptOf(executed, moment);
  if (origin.by !== "key" || result === null) return null;
  return { keyId: origin.keyId, nonce: origin.nonce, decidedAtMs: moment.now, result };
}

/** Empty for whoever is no key, and so has no receipts. */
function receiptKey(origin: Origin): string {
  return origin.by === "key" ? `${origin.keyId}\n${origin.nonce}` : "";
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
