import type { Clock } from "@propgate/base";
import {
  type AccountId,
  type Command,
  type CorporateActions,
  type decide,
  type Event,
  type evolve,
  type FundingRates,
  hasDueWork,
  type Instruments,
  type Moment,
  type PairId,
  type QuoteOrigin,
  type Quotes,
} from "@propgate/core";
import type { ReceiptRow } from "../../storage/stores/account-rows.ts";
import {
  type BestQuotesLookup,
  type DecidedQuotes,
  isOfMarketOrClock,
  isTraderSubmission,
  type QuoteBarrier,
  QuotesBehind,
  type Submission,
  type TraderSubmission,
  type VersionedState,
} from "../executor-port.ts";
import {
  type CarriedOutCommand,
  type TraderAnswer,
  traderAnswer,
} from "../network/order-receipt.ts";
import type { TraderReceipt } from "../network/port.ts";
import { receiptIdOf } from "../receipts/receipt-key.ts";
import type { CommittedAccount, StateCache } from "../state-cache.ts";
import type { Batch, EventStep } from "./batch.ts";
import { createInputsRecorder, type InputsRecorder } from "./decision-inputs.ts";
import { createDecisionTimes, type DecisionTimes } from "./decision-times.ts";
import type { CommandOutcome } from "./outcome.ts";
import { pairsToRead } from "./pairs-to-read.ts";

/** The rules of the trading network; a test may count their calls. */
export interface Decider {
  readonly decide: typeof decide;
  readonly evolve: typeof evolve;
}

export interface DecidingOptions {
  readonly cache: StateCache;
  readonly decider: Decider;
  readonly clock: Clock;
  /** Gives the time of each decision; when absent, a new object is used. */
  readonly times?: DecisionTimes | undefined;
  /** Returns the quotes on the board. */
  readonly quotes: () => Quotes;
  readonly instruments: Instruments;
  /**
   * Returns the position (epoch and number) and the source of a pair's quote on the board. When absent, quotes have
   * neither.
   */
  readonly quoteOrigin?: (pair: PairId) => QuoteOrigin | null;
  /** Holds commands back until their quotes have come. When absent, none is held back. */
  readonly barrier?: QuoteBarrier | undefined;
  /** Returns the corporate actions in force. When absent, there are none. */
  readonly actions?: () => CorporateActions;
  /** Returns the known funding rates. When absent, there are none. */
  readonly funding?: () => FundingRates;
  /** Returns the best prices that an account's trailing stops have followed. When absent, there are none. */
  readonly bests?: BestQuotesLookup;
  /**
   * Returns the JSON that the receipt of an order stores, from which its answer can be given again byte for byte.
   * Called before the commit, and again when the command is decided again.
   */
  readonly remember: (answer: TraderAnswer & CarriedOutCommand) => string;
}

/** Decides the commands of one batch, in their order. */
export type BatchDecider = (submission: Submission) => CommandOutcome;

/** Makes a function that begins to decide a batch. A command that throws leaves no part of itself in the batch. */
export function createBatchDeciders(given: DecidingOptions): (batch: Batch) => BatchDecider {
  const options: DecidingContext = {
    ...given,
    times: given.times ?? createDecisionTimes(),
    recordInputs: createInputsRecorder(given),
  };
  return (batch) => {
    /** The quotes that accounts wait for. Later commands of the same accounts wait too. */
    const awaited = new Map<AccountId, DecidedQuotes>();
    return (submission) => {
      try {
        const outcome = decideOne(options, { batch, awaited }, submission);
        if (outcome.is === "awaitingQuotes") awaited.set(submission.accountId, outcome.quotes);
        return outcome;
      } catch (cause) {
        return { is: "failed", cause };
      }
    };
  };
}

interface DecidingContext extends DecidingOptions {
  readonly times: DecisionTimes;
  readonly recordInputs: InputsRecorder;
}

function decideOne(
  options: DecidingContext,
  { batch, awaited }: { batch: Batch; awaited: ReadonlyMap<AccountId, DecidedQuotes> },
  submission: Submission,
): CommandOutcome {
  const { decider } = options;
  const { accountId, command } = submission;
  const before = requireReadable(options, batch.currentAccount(accountId), submission);
  const { missing, lostEpoch } = missingQuotes(options, before, command);
  const quotes = awaited.get(accountId) ?? missing;
  if (quotes !== null) return awaitingQuotesOutcome(submission, quotes);
  const moment = momentOf(options, before);
  const recorded = options.recordInputs(before?.state ?? null, command, moment);
  const decision = decider.decide(before?.state ?? null, command, recorded.moment);
  if (!decision.ok) {
    if (before !== null) commitDueWork(options, { batch, submission, before, lostEpoch, moment });
    return { is: "refused", execution: decision };
  }
  const events = decision.value;
  const { steps, account: after } = evolveAll({ decider, before, events });
  // All steps that can throw come before the batch changes: a command that throws must leave no part of itself in the
  // batch.
  const answer =
    isTraderSubmission(submission) && after !== null
      ? createAnswer(options, submission, { events, account: after, moment })
      : null;
  const account =
    before !== null && steps.length === 0
      ? before
      : batch.append(submission, steps, { ...recorded.serializedInputs(steps.length), lostEpoch });
  const lines = { first: (before?.version ?? 0) + 1, count: steps.length };
  const receipt = receiptRow(submission, { rest: answer?.remembered ?? NO_ORDER, moment, lines });
  if (receipt !== null) batch.addReceipt(receipt);
  return { is: "done", execution: { ok: true, events, account, receipt: answer?.receipt ?? null } };
}

/**
 * The outcome of a command whose quotes have not come. A command of the market or the clock fails instead of waiting,
 * because its settlement may hold back the awaited quote.
 */
export function awaitingQuotesOutcome(
  submission: Submission,
  quotes: DecidedQuotes,
): CommandOutcome {
  return isOfMarketOrClock(submission)
    ? { is: "failed", cause: new QuotesBehind() }
    : { is: "awaitingQuotes", quotes };
}

/**
 * Returns the quotes that the account must wait for, null when it need not wait, and the newest epoch among the lost
 * quotes that decisions on the account had read.
 */
function missingQuotes(
  { instruments, barrier }: DecidingContext,
  before: CommittedAccount | null,
  command: Command,
): { readonly missing: DecidedQuotes | null; readonly lostEpoch: number } {
  if (before === null) return { missing: null, lostEpoch: 0 };
  const { state, place, lostEpoch, isDecidedHere } = before;
  if (barrier === undefined) return { missing: null, lostEpoch };
  const pairs = () => pairsToRead(instruments, state, command);
  const quotes = { place, lostEpoch, isDecidedHere, pairs };
  return { missing: barrier.allows(quotes) ? null : quotes, lostEpoch: barrier.lostEpoch(quotes) };
}
/**
 * The account of a command; null when there is no such account.
 * @throws when it cannot be read
 */
function requireReadable(
  { cache }: DecidingContext,
  account: CommittedAccount | null,
  { accountId }: Submission,
): CommittedAccount | null {
  if (account === null) cache.throwIfUnreadable(accountId);
  return account;
}

function momentOf(options: DecidingContext, before: CommittedAccount | null): Moment {
  const { actions, funding } = options;
  return {
    now: options.times.timeOfDecision(before, options.clock.now()),
    quotes: options.quotes(),
    instruments: options.instruments,
    ...(actions === undefined ? {} : { actions: actions() }),
    ...(funding === undefined ? {} : { funding: funding() }),
    ...bestsAt(options, before),
  };
}

function bestsAt({ bests }: DecidingContext, before: VersionedState | null): Pick<Moment, "bests"> {
  const kept = before === null ? undefined : bests?.(before.state.accountId, before.version);
  return kept === undefined ? {} : { bests: kept };
}

/**
 * Commits the due work of an account whose command was refused. The due work, such as the end of a day, came first and
 * may be the reason for the refusal. Done later, at other prices, it could have another result. @rule D7.clockWork
 */
function commitDueWork(
  options: DecidingContext,
  refused: {
    readonly batch: Batch;
    readonly submission: Submission;
    readonly before: CommittedAccount;
    readonly lostEpoch: number;
    readonly moment: Moment;
  },
): void {
  const { decider } = options;
  const { batch, before, lostEpoch, moment } = refused;
  if (!hasDueWork(before.state, moment)) return;
  const command: Command = { type: "passTime" };
  const recorded = options.recordInputs(before.state, command, moment);
  const done = decider.decide(before.state, command, recorded.moment);
  if (!done.ok) return;
  const { accountId } = refused.submission;
  const submission: Submission = { accountId, command, origin: { by: "clock" } };
  const { steps } = evolveAll({ decider, before, events: done.value });
  if (steps.length === 0) return;
  batch.append(submission, steps, { ...recorded.serializedInputs(steps.length), lostEpoch });
}

/** Applies the events to the account one by one. The batch is not changed. */
function evolveAll(options: {
  readonly decider: Decider;
  readonly before: CommittedAccount | null;
  readonly events: readonly Event[];
}): { readonly steps: readonly EventStep[]; readonly account: VersionedState | null } {
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

function createAnswer(
  { remember, clock }: DecidingContext,
  { command, receivedAtMs }: TraderSubmission,
  carriedOut: Pick<CarriedOutCommand, "events" | "account" | "moment">,
): { readonly receipt: TraderReceipt; readonly remembered: string } {
  // The clock gave the time of receipt. The moment of the decision may be ahead of it, at the account's newest line.
  // The clock may also have been set back since the request arrived. @rule D10.processingTime
  const processingMs = Math.max(0, clock.now() - receivedAtMs);
  const whole = { ...carriedOut, command, processingMs };
  const { receipt, rest } = traderAnswer(whole);
  return { receipt, remembered: remember({ ...whole, receipt, rest }) };
}

/** The `rest` in the receipt of a command that no trader has sent. */
const NO_ORDER = "null";

/** The row of the command's receipt; null for a command without one. */
function receiptRow(
  submission: Submission,
  written: {
    readonly rest: string;
    readonly moment: Moment;
    /** The command's journal lines. `count` is 0 for a command without events. */
    readonly lines: { readonly first: number; readonly count: number };
  },
): ReceiptRow | null {
  const receipt = receiptIdOf(submission);
  if (receipt === null) return null;
  const { accountId, origin } = submission;
  const { rest, moment, lines } = written;
  return {
    ...receipt,
    decidedAtMs: moment.now,
    receivedAtMs: origin.by === "key" ? origin.admittedAtMs : moment.now,
    accountId,
    firstSeq: lines.first,
    lines: lines.count,
    rest,
  };
}
