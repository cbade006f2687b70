import {
  type AccountId,
  type Command,
  type CorporateActions,
  type Event,
  type FundingRates,
  hasDueWork,
  type Instruments,
  type Moment,
  type Quotes,
} from "@propgate/core";
import type { Clock } from "../base/clock.ts";
import { createMicroBatch } from "../base/micro-batch.ts";
import type { Database, Queryable } from "../storage/databases/database.ts";
import {
  lockAccounts,
  lockFreeAccounts,
  type ReceiptRow,
  writeBatch,
} from "../storage/stores/account-rows.ts";
import { type Batch, createBatch, type Step } from "./batch.ts";
import { type Attempt, carryOutSafely } from "./batch-attempts.ts";
import type { Decider } from "./decider.ts";
import type {
  CommitListener,
  Execution,
  Executor,
  OrderSubmission,
  Submission,
  VersionedState,
} from "./executor-port.ts";
import { createHeldCommands, type Held, isHeld } from "./held-commands.ts";
import type { CarriedOut } from "./network/order-receipt.ts";
import type { Origin, PlacedOrder } from "./network/port.ts";
import { NotCarriedOut } from "./receipts/not-carried-out.ts";
import { type CommittedAccount, committed, type StateCache } from "./state-cache.ts";

export interface ExecutorOptions {
  readonly database: Database;
  readonly cache: StateCache;
  readonly decider: Decider;
  readonly clock: Clock;
  /** The quotes on the board at the moment of the call. */
  readonly quotes: () => Quotes;
  readonly instruments: Instruments;
  /** The corporate actions in force; none unless given. */
  readonly actions?: () => CorporateActions;
  /** The known funding rates; none unless given. */
  readonly funding?: () => FundingRates;
  /** Writes the answer to an order before the order commits; again when the commit is retried. */
  readonly answerOrder: (order: CarriedOut) => PlacedOrder;
  /** Max commands of one transaction; with 1 every command has its own. */
  readonly batchMax?: number;
}

/** `fault`: this command threw; the others of its batch are carried out. */
type Outcome = Execution | { readonly fault: unknown };

interface Decided {
  readonly outcomes: readonly (Outcome | Held)[];
  readonly moved: readonly CommittedAccount[];
}

const BATCH_MAX = 512;
/**
 * A batch waits this long for an account that another node holds, then goes on without it. Shorter
 * than the time after which a stopped node loses its locks, so that other accounts wait less.
 */
const LOCK_WAIT_MS = 500;

/** Some receipts of the batch were already closed: it was rolled back and is retried without them. */
class ClosedBefore extends Error {
  override readonly name = "ClosedBefore";
  readonly receipts: readonly ReceiptRow[];

  constructor(receipts: readonly ReceiptRow[]) {
    super("some receipts of the batch were already closed");
    this.receipts = receipts;
  }
}

/** The executor over a database. @rule S3.orders */
export function createExecutor(options: ExecutorOptions): Executor {
  const { database, cache } = options;
  const listeners: CommitListener[] = [];
  const unknownFateListeners: ((accounts: ReadonlySet<AccountId>) => void)[] = [];

  const carryOut = (
    submissions: readonly Submission[],
    isClosed: (submission: Submission) => boolean,
    attempt: Attempt,
  ): Promise<Decided> =>
    database.transaction(
      async (transaction) => {
        const { accounts, held } = await lock(transaction, cache, { submissions, attempt });
        const batch = createBatch(accounts, options.instruments);
        const outcomes = submissions.map((submission) => {
          if (held.has(submission.accountId)) return { isHeld: true } as const;
          return isClosed(submission)
            ? { fault: new NotCarriedOut() }
            : decideOne(options, batch, submission);
        });
        const moved = batch.moved();
        const rows = batch.rows();
        if (moved.length > 0 || rows.receipts.length > 0) {
          const closed = await writeBatch(transaction, rows);
          if (closed.length > 0) throw new ClosedBefore(closed);
        }
        attempt.reachesCommit = true;
        return { outcomes, moved };
      },
      { lockWaitMs: LOCK_WAIT_MS },
    );

  /**
   * Retries without the orders whose receipts were closed. Every round drops at least one, so this
   * ends.
   */
  const carryOutRest = async (
    submissions: readonly Submission[],
    attempt: Attempt,
  ): Promise<Decided> => {
    const closed = new Set<string>();
    for (;;) {
      try {
        const isClosed = ({ origin }: Submission): boolean => closed.has(receiptKey(origin));
        return await carryOut(submissions, isClosed, attempt);
      } catch (cause) {
        if (!(cause instanceof ClosedBefore)) throw cause;
        for (const receipt of cause.receipts) closed.add(receiptKey({ by: "key", ...receipt }));
      }
    }
  };

  const reportUnknownFate = (submissions: readonly Submission[]): void => {
    const accounts = new Set(submissions.map(({ accountId }) => accountId));
    for (const listener of unknownFateListeners) listener(accounts);
  };
  const run = async (submissions: readonly Submission[]): Promise<readonly (Outcome | Held)[]> => {
    const { outcomes, moved } = await carryOutSafely((attempt) =>
      carryOutRest(submissions, attempt),
    ).catch((cause) => {
      reportUnknownFate(submissions);
      throw cause;
    });
    for (const account of moved) cache.put(account);
    if (moved.length > 0) for (const listener of listeners) listener(moved);
    return outcomes;
  };

  const batchMax = options.batchMax ?? BATCH_MAX;
  const held = createHeldCommands<Outcome>({ run, batchMax, onGivenUp: reportUnknownFate });
  const batches = createMicroBatch<Submission, Outcome | Held>({
    batchMax,
    concurrentMax: 1,
    run: (submissions) => held.runOthers(submissions),
  });
  return {
    async submit(submission) {
      const first = await batches.submit(submission);
      const outcome = isHeld(first) ? await held.submit(submission) : first;
      if ("fault" in outcome) throw outcome.fault;
      return outcome;
    },
    async idle() {
      await batches.idle();
      await held.idle();
    },
    onCommit: (listener) => void listeners.push(listener),
    onUnknownFate: (listener) => void unknownFateListeners.push(listener),
  };
}

async function lock(
  transaction: Queryable,
  cache: StateCache,
  { submissions, attempt }: { submissions: readonly Submission[]; attempt: Attempt },
): Promise<{
  readonly accounts: ReadonlyMap<AccountId, CommittedAccount>;
  /** Accounts that another session has locked; this attempt skips them. */
  readonly held: ReadonlySet<string>;
}> {
  const cached = new Map<AccountId, CommittedAccount | null>();
  for (const { accountId } of submissions) cached.set(accountId, cache.get(accountId));
  const versions = new Map([...cached].map(([id, account]) => [id, account?.version ?? 0]));
  const locked = attempt.skipsHeld
    ? await lockFreeAccounts(transaction, versions)
    : { accounts: await lockAccounts(transaction, versions), held: new Set<string>() };
  const accounts = new Map<AccountId, CommittedAccount>();
  for (const stored of locked.accounts) {
    const account = stored.state === null ? cachedAs(cached, stored.accountId) : committed(stored);
    accounts.set(account.state.accountId, account);
  }
  return { accounts, held: locked.held };
}

function cachedAs(
  cached: ReadonlyMap<string, CommittedAccount | null>,
  id: string,
): CommittedAccount {
  const account = cached.get(id) ?? null;
  if (account === null)
    throw new Error("broken invariant: a locked account has a state, cached or loaded");
  return account;
}

function decideOne(options: ExecutorOptions, batch: Batch, submission: Submission): Outcome {
  const { decider, clock, instruments } = options;
  try {
    const before = batch.current(submission.accountId);
    const moment: Moment = {
      now: clock.now(),
      quotes: options.quotes(),
      instruments,
      ...(options.actions === undefined ? {} : { actions: options.actions() }),
      ...(options.funding === undefined ? {} : { funding: options.funding() }),
    };
    const decision = decider.decide(before?.state ?? null, submission.command, moment);
    if (!decision.ok) {
      if (before !== null) keepDue({ decider, batch, submission, before, moment });
      return decision;
    }
    const events = decision.value;
    const { steps, account: after } = evolved({ decider, before, events });
    // Before the batch changes: a command that throws must leave nothing of itself in it.
    const order =
      isOrder(submission) && after !== null
        ? answered(options, submission, { events, account: after, moment })
        : null;
    const account =
      before !== null && steps.length === 0 ? before : batch.append(submission, steps);
    const receipt = order === null ? null : receiptRow(submission.origin, order, moment);
    if (receipt !== null) batch.keep(receipt);
    return { ok: true, events, account, order };
  } catch (fault) {
    return { fault };
  }
}

/**
 * Commits the due work of an account whose command was refused. The due work, such as the end of a
 * day, came first and may be the reason for the refusal. Redone later, at other prices, it could come
 * out differently. @rule D7.clockWork
 */
function keepDue(options: {
  readonly decider: Decider;
  readonly batch: Batch;
  readonly submission: Submission;
  readonly before: CommittedAccount;
  readonly moment: Moment;
}): void {
  const { decider, batch, before, moment } = options;
  if (!hasDueWork(before.state, moment)) return;
  const command: Command = { type: "passTime" };
  const done = decider.decide(before.state, command, moment);
  if (!done.ok) return;
  const { accountId } = options.submission;
  const submission: Submission = { accountId, command, origin: { by: "clock" } };
  const { steps } = evolved({ decider, before, events: done.value });
  if (steps.length > 0) batch.append(submission, steps);
}

/** Applies the events to the account one by one; the batch is not changed. */
function evolved(options: {
  readonly decider: Decider;
  readonly before: CommittedAccount | null;
  readonly events: readonly Event[];
}): { readonly steps: readonly Step[]; readonly account: VersionedState | null } {
  const { decider, before, events } = options;
  let state = before?.state ?? null;
  const steps = events.map((event) => {
    state = decider.evolve(state, event);
    return { event, state };
  });
  if (state === null) return { steps, account: null };
  const version = (before?.version ?? 0) + steps.length;
  return { steps, account: { version, state } };
}

function isOrder(submission: Submission | OrderSubmission): submission is OrderSubmission {
  return "receivedAtMs" in submission;
}

function answered(
  { answerOrder }: ExecutorOptions,
  { command, receivedAtMs }: OrderSubmission,
  carriedOut: Pick<CarriedOut, "events" | "account" | "moment">,
): PlacedOrder {
  const processingMs = carriedOut.moment.now - receivedAtMs;
  return answerOrder({ ...carriedOut, command, processingMs });
}

/** Null unless a key sent the order: only keys have receipts. */
function receiptRow(origin: Origin, order: PlacedOrder, moment: Moment): ReceiptRow | null {
  if (origin.by !== "key") return null;
  const { keyId, nonce } = origin;
  return { keyId, nonce, decidedAtMs: moment.now, result: order.rendered.stored };
}

/** Identifies the receipt of a key's order; empty for every other origin, which has none. */
function receiptKey(origin: Origin): string {
  return origin.by === "key" ? `${origin.keyId}\n${origin.nonce}` : "";
}
