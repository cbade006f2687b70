import {
  type AccountId,
  type Command,
  type CorporateActions,
  decide,
  type Event,
  evolve,
  type Instruments,
  type Moment,
  type Quotes,
} from "@propgate/core";
import type { Clock } from "../../../base/src/clock.ts";
import {
  type BestQuotesLookup,
  type CommitListener,
  type Execution,
  type Executor,
  QuotesBehind,
  type Submission,
  type VersionedState,
} from "../../../ledger/src/trading/executor-port.ts";

/** The real network without a database, with a record of all submissions and events. */
export interface MemoryExecutor extends Executor {
  readonly submissions: readonly Submission[];
  readonly events: readonly Event[];
  account(accountId: AccountId): VersionedState;
  all(): readonly VersionedState[];
  /**
   * Makes every further submission fail with this fault, until a call with null. With `answer`, the submission is
   * committed first.
   */
  breakWith(fault: Error | null, what?: "command" | "answer"): void;
  /** Submits as the operator. */
  send(accountId: AccountId, command: Command): Promise<Execution>;
}

export function createMemoryExecutor(options: {
  readonly clock: Clock;
  readonly quotes: Quotes;
  readonly instruments: Instruments;
  readonly bests?: BestQuotesLookup;
  readonly actions?: () => CorporateActions;
  /** The accounts of an earlier executor; none unless given. */
  readonly accounts?: Iterable<VersionedState>;
}): MemoryExecutor {
  const accounts = new Map<AccountId, VersionedState>();
  for (const account of options.accounts ?? []) accounts.set(account.state.accountId, account);
  const submissions: Submission[] = [];
  const allEvents: Event[] = [];
  const listeners: CommitListener[] = [];
  const unknownFateListeners: Parameters<Executor["onUnknownFate"]>[0][] = [];
  let fault: Error | null = null;
  let isAnswerLost = false;

  const momentFor = (account: VersionedState | undefined): Moment => {
    const bests = account && options.bests?.(account.state.accountId, account.version);
    const actions = options.actions?.();
    return {
      now: options.clock.now(),
      quotes: options.quotes,
      instruments: options.instruments,
      ...(actions === undefined ? {} : { actions }),
      ...(bests === undefined ? {} : { bests }),
    };
  };
  const carryOut = ({ accountId, command }: Submission): Execution => {
    const before = accounts.get(accountId);
    const moment = momentFor(before);
    const decision = decide(before?.state ?? null, command, moment);
    if (!decision.ok) return decision;
    const events = decision.value;
    let state = before?.state ?? null;
    for (const event of events) state = evolve(state, event);
    if (state === null) throw new Error("an account that was never opened");
    if (events.length === 0 && before !== undefined)
      return { ok: true, events, account: before, receipt: null };
    const account = { version: (before?.version ?? 0) + events.length, state };
    accounts.set(accountId, account);
    allEvents.push(...events);
    return { ok: true, events, account, receipt: null };
  };
  /**
   * Reports an unknown fate. A command whose quotes had not arrived is not reported, because its sender knows that it
   * was not carried out.
   */
  const reportFate = (accountId: AccountId, cause: Error): void => {
    if (cause instanceof QuotesBehind) return;
    for (const listener of unknownFateListeners) listener(new Set([accountId]));
  };
  const submit = async (submission: Submission): Promise<Execution> => {
    submissions.push(submission);
    await nextTurn();
    if (fault !== null) {
      if (isAnswerLost) carryOut(submission);
      reportFate(submission.accountId, fault);
      throw fault;
    }
    const execution = carryOut(submission);
    // A commit takes time, and prices may move before its listeners are called.
    await nextTurn();
    if (execution.ok && execution.events.length > 0) {
      for (const listener of listeners) listener([execution.account]);
    }
    return execution;
  };

  return {
    submit,
    idle: async () => undefined,
    onCommit: (listener) => void listeners.push(listener),
    onUnknownFate: (listener) => void unknownFateListeners.push(listener),
    submissions,
    events: allEvents,
    account(accountId) {
      const account = accounts.get(accountId);
      if (account === undefined) throw new Error(`no account ${accountId}`);
      return account;
    },
    all: () => [...accounts.values()],
    breakWith(next, what = "command") {
      fault = next;
      isAnswerLost = what === "answer";
    },
    send: (accountId, command) => submit({ accountId, command, origin: { by: "operator" } }),
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
