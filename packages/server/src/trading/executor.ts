import {
  type AccountId,
  type Command,
  type CorporateActions,
  type Event,
  type FundingRates,
  hasDueWork,
  type Instruments,
  type Moment,
  type PairId,
  type QuoteOrigin,
  type Quotes,
} from "@propgate/core";
import type { Clock } from "../base/clock.ts";
import { createMicroBatch } from "../base/micro-batch.ts";
import type { Database } from "../storage/databases/database.ts";
import type { BatchRows, ExistingReceipt, ReceiptRow } from "../storage/stores/account-rows.ts";
import { type Batch, createBatch, type Step } from "./batch.ts";
import { type Ahead, createAheadCommands } from "./commit/ahead-commands.ts";
import { type Attempt, carryOutSafely } from "./commit/batch-attempts.ts";
import { ClosedBefore } from "./commit/closed-before.ts";
import type { CommitObserver } from "./commit/commit-observer.ts";
import { createCompareCommit } from "./commit/compare-commit.ts";
import { createDecisionTimes, type DecisionTimes } from "./commit/decision-times.ts";
import { createLeftCommands, isLeft, type Left } from "./commit/left-commands.ts";
import type { LeftOut } from "./commit/left-out.ts";
import { readPairs } from "./commit/read-pairs.ts";
import type { Decider } from "./decider.ts";
import { createInputsRecorder, type InputsRecorder } from "./decision-inputs.ts";
import {
  AheadOfQuotes,
  type BestsOf,
  type CommitListener,
  type DecidedQuotes,
  type Execution,
  type Executor,
  type OrderSubmission,
  type QuoteReach,
  type Submission,
  type VersionedState,
} from "./executor-port.ts";
import type { CarriedOut } from "./network/order-receipt.ts";
import type { PlacedOrder } from "./network/port.ts";
import { NotOwner, type Ownership } from "./ownership.ts";
import { CarriedOutBefore } from "./receipts/carried-out-before.ts";
import { NotCarriedOut } from "./receipts/not-carried-out.ts";
import { receiptKey, receiptOf } from "./receipts/receipt-key.ts";
import type { CommittedAccount, StateCache } from "./state-cache.ts";

export interface ExecutorOptions {
  readonly database: Database;
  readonly cache: StateCache;
  readonly decider: Decider;
  /** The accounts that this node decides; all unless given. */
  readonly ownership?: Ownership | undefined;
  readonly clock: Clock;
  /** When accounts are decided; times of its own unless given. */
  readonly times?: DecisionTimes | undefined;
  /** The quotes on the board at the moment of the call. */
  readonly quotes: () => Quotes;
  readonly instruments: Instruments;
  /** The number and the source of the board's quote; no quote has one unless given. */
  readonly quoteOrigin?: (pair: PairId) => QuoteOrigin | null;
  /** How far the quotes on the board reach; no command waits for them unless given. */
  readonly reach?: QuoteReach | undefined;
  /** The corporate actions in force; none unless given. */
  readonly actions?: () => CorporateActions;
  /** The known funding rates; none unless given. */
  readonly funding?: () => FundingRates;
  /** The best prices that the accounts' trailing stops have followed; nothing unless given. */
  readonly bests?: BestsOf;
  /** Writes the answer to an order before the order commits; again when the commit is retried. */
  readonly answerOrder: (order: CarriedOut) => PlacedOrder;
  /** Max commands of one transaction; with 1 every command has its own. */
  readonly batchMax?: number;
  /** Observes commits; nothing does unless given. */
  readonly observer?: CommitObserver | undefined;
}

/** `fault`: this command threw; the others of its batch are carried out. */
type Outcome = Execution | { readonly fault: unknown } | Ahead;

interface Decided {
  readonly rows: BatchRows;
  readonly outcomes: readonly Outcome[];
  readonly moved: readonly CommittedAccount[];
}

interface CarriedOutBatch {
  readonly outcomes: readonly (Outcome | Left)[];
  readonly moved: readonly CommittedAccount[];
}

const BATCH_MAX = 512;

/** The executor over a database. @rule S3.orders */
export function createExecutor(options: ExecutorOptions): Executor {
  const { cache } = options;
  const recordInputs = createInputsRecorder(options);
  const times = options.times ?? createDecisionTimes();
  const listeners: CommitListener[] = [];
  const unknownFateListeners: ((accounts: ReadonlySet<AccountId>) => void)[] = [];

  const commit = createCompareCommit(options);

  const carryOut = async (
    submissions: readonly Submission[],
    endedBefore: (submission: Submission) => Error | null,
    attempt: Attempt,
  ): Promise<CarriedOutBatch> => {
    const result = await commit<Decided>({
      accountIds: submissions.map(({ accountId }) => accountId),
      attempt,
      decide(accounts, isOwned) {
        const batch = createBatch(accounts, options.instruments);
        const outcomes = submissions.map((submission): Outcome => {
          if (!isOwned(submission.accountId)) return { fault: new NotOwner() };
          const fault = endedBefore(submission);
          return fault === null
            ? decideOne({ ...options, times, recordInputs }, batch, submission)
            : { fault };
        });
        return { outcomes, rows: batch.rows(), moved: batch.moved() };
      },
    });
    return withoutLeftOut(submissions, result.decided, result.leftOut);
  };

  /**
   * Retries without the commands that have a receipt. Every round drops at least one, so this ends. The receipt says
   * whether the command was carried out by an earlier passing, or rejected.
   */
  const carryOutRest = async (
    submissions: readonly Submission[],
    attempt: Attempt,
  ): Promise<CarriedOutBatch> => {
    const ended = new Map<string, Error>();
    for (;;) {
      try {
        const endedBefore = (submission: Submission): Error | null => {
          const receipt = receiptOf(submission);
          return receipt === null ? null : (ended.get(receiptKey(receipt)) ?? null);
        };
        return await carryOut(submissions, endedBefore, attempt);
      } catch (cause) {
        if (!(cause instanceof ClosedBefore)) throw cause;
        for (const receipt of cause.receipts) ended.set(receiptKey(receipt), whyEnded(receipt));
      }
    }
  };

  const reportUnknownFate = (submissions: readonly Submission[]): void => {
    const accounts = new Set(submissions.map(({ accountId }) => accountId));
    for (const listener of unknownFateListeners) listener(accounts);
  };
  const run = async (
    submissions: readonly Submission[],
    firstSkipsHeld: boolean,
  ): Promise<readonly (Outcome | Left)[]> => {
    const { outcomes, moved } = await carryOutSafely(
      (attempt) => carryOutRest(submissions, attempt),
      { firstSkipsHeld },
    ).catch((cause: unknown) => {
      // The fate is known: nothing was written.
      if (cause instanceof NotOwner) return allEndedWith(cause, submissions);
      reportUnknownFate(submissions);
      throw cause;
    });
    for (const account of moved) cache.put(account);
    if (moved.length > 0) for (const listener of listeners) listener(moved);
    return outcomes;
  };

  const batchMax = options.batchMax ?? BATCH_MAX;
  const left = createLeftCommands<Outcome>({
    runFirst: (submissions) => run(submissions, true),
    runAgain: (submissions) => run(submissions, false),
    batchMax,
    onGivenUp: reportUnknownFate,
  });
  const batches = createMicroBatch<Submission, Outcome | Left>({
    batchMax,
    concurrentMax: 1,
    run: (submissions) => left.runOthers(submissions),
  });
  const decided = async (submission: Submission): Promise<Outcome> => {
    const first = await batches.submit(submission);
    return isLeft(first) ? left.submit(submission) : first;
  };
  const { reach } = options;
  const ahead =
    reach === undefined ? null : createAheadCommands<Outcome>({ ...options, reach, decided });
  return {
    async submit(submission) {
      const outcome = await (ahead?.submit(submission) ?? decided(submission));
      if ("ahead" in outcome) throw new AheadOfQuotes();
      if ("fault" in outcome) throw outcome.fault;
      return outcome;
    },
    async idle() {
      await ahead?.idle();
      await batches.idle();
      await left.idle();
    },
    onCommit: (listener) => void listeners.push(listener),
    onUnknownFate: (listener) => void unknownFateListeners.push(listener),
  };
}

function allEndedWith(fault: unknown, submissions: readonly Submission[]): CarriedOutBatch {
  return { outcomes: submissions.map(() => ({ fault })), moved: [] };
}

/** The outcomes and changed accounts of a batch, without the accounts that must be decided again. */
function withoutLeftOut(
  submissions: readonly Submission[],
  { outcomes, moved }: Decided,
  leftOut: ReadonlyMap<string, LeftOut>,
): CarriedOutBatch {
  if (leftOut.size === 0) return { outcomes, moved };
  return {
    outcomes: outcomes.map((outcome, index) => {
      const left = leftOut.get(submissions[index]?.accountId ?? "");
      return left === undefined ? outcome : { left };
    }),
    moved: moved.filter(({ state }) => !leftOut.has(state.accountId)),
  };
}

interface DecidingOptions extends ExecutorOptions {
  readonly times: DecisionTimes;
  readonly recordInputs: InputsRecorder;
}

function decideOne(options: DecidingOptions, batch: Batch, submission: Submission): Outcome {
  const { decider } = options;
  try {
    const before = readable(options, batch.current(submission.accountId), submission);
    const { command } = submission;
    const { ahead, lostEpoch } = reachedQuotes(options, before, command);
    if (ahead !== null) return { ahead };
    const moment = momentOf(options, before);
    const recorded = options.recordInputs(before?.state ?? null, command, moment);
    const decision = decider.decide(before?.state ?? null, command, recorded.moment);
    if (!decision.ok) {
      if (before !== null) keepDue({ ...options, batch, submission, before, lostEpoch, moment });
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
      before !== null && steps.length === 0
        ? before
        : batch.append(submission, steps, {
            ...recorded.written(steps.length),
            lostEpoch,
          });
    const lines = { first: (before?.version ?? 0) + 1, count: steps.length };
    const receipt = receiptRow(submission, { order, moment, lines });
    if (receipt !== null) batch.keep(receipt);
    return { ok: true, events, account, order };
  } catch (fault) {
    return { fault };
  }
}

/** The quotes that the account waits for, null without any, and the epoch of those that it has lost. */
function reachedQuotes(
  { instruments, reach }: ExecutorOptions,
  before: CommittedAccount | null,
  command: Command,
): { readonly ahead: DecidedQuotes | null; readonly lostEpoch: number } {
  if (before === null) return { ahead: null, lostEpoch: 0 };
  const { state, place, lostEpoch, isDecidedHere } = before;
  if (reach === undefined) return { ahead: null, lostEpoch };
  const pairs = () => readPairs(instruments, state, command);
  const quotes = { place, lostEpoch, isDecidedHere, pairs };
  return { ahead: reach.has(quotes) ? null : quotes, lostEpoch: reach.lostEpoch(quotes) };
}

/** The account of a command; null when there is no such account. @throws when it cannot be read */
function readable(
  { cache }: ExecutorOptions,
  account: CommittedAccount | null,
  { accountId }: Submission,
): CommittedAccount | null {
  if (account === null) cache.throwIfUnreadable(accountId);
  return account;
}

function momentOf(options: DecidingOptions, before: CommittedAccount | null): Moment {
  const { actions, funding } = options;
  return {
    now: options.times.of(before, options.clock.now()),
    quotes: options.quotes(),
    instruments: options.instruments,
    ...(actions === undefined ? {} : { actions: actions() }),
    ...(funding === undefined ? {} : { funding: funding() }),
    ...bestsAt(options, before),
  };
}

function bestsAt({ bests }: ExecutorOptions, before: VersionedState | null): Pick<Moment, "bests"> {
  const kept = before === null ? undefined : bests?.(before.state.accountId, before.version);
  return kept === undefined ? {} : { bests: kept };
}

/**
 * Commits the due work of an account whose command was refused. The due work, such as the end of a
 * day, came first and may be the reason for the refusal. Redone later, at other prices, it could come
 * out differently. @rule D7.clockWork
 */
function keepDue(options: {
  readonly decider: Decider;
  readonly recordInputs: InputsRecorder;
  readonly batch: Batch;
  readonly submission: Submission;
  readonly before: CommittedAccount;
  readonly lostEpoch: number;
  readonly moment: Moment;
}): void {
  const { decider, batch, before, lostEpoch, moment } = options;
  if (!hasDueWork(before.state, moment)) return;
  const command: Command = { type: "passTime" };
  const recorded = options.recordInputs(before.state, command, moment);
  const done = decider.decide(before.state, command, recorded.moment);
  if (!done.ok) return;
  const { accountId } = options.submission;
  const submission: Submission = { accountId, command, origin: { by: "clock" } };
  const { steps } = evolved({ decider, before, events: done.value });
  if (steps.length === 0) return;
  batch.append(submission, steps, { ...recorded.written(steps.length), lostEpoch });
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

/** The `rest` of a receipt whose command is no order. */
const NO_ORDER = "null";

/** Null for a command without a receipt. */
function receiptRow(
  submission: Submission,
  written: {
    readonly order: PlacedOrder | null;
    readonly moment: Moment;
    /** The command's journal lines; `count` is 0 for one without an event. */
    readonly lines: { readonly first: number; readonly count: number };
  },
): ReceiptRow | null {
  const receipt = receiptOf(submission);
  if (receipt === null) return null;
  const { accountId, origin } = submission;
  const { order, moment, lines } = written;
  return {
    ...receipt,
    decidedAtMs: moment.now,
    receivedAtMs: origin.by === "key" ? origin.admittedAtMs : moment.now,
    accountId,
    firstSeq: lines.first,
    lines: lines.count,
    rest: order?.rest ?? NO_ORDER,
  };
}

function whyEnded({ isAccepted }: ExistingReceipt): Error {
  return isAccepted ? new CarriedOutBefore() : new NotCarriedOut();
}
