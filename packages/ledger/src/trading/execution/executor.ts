import { delay, yieldToEventLoop } from "@propgate/base";
import type { AccountId } from "@propgate/core";
import type { CommitListener, Executor } from "../executor-port.ts";
import { createAccountQueues } from "./account-queues.ts";
import { type AttemptOptions, createAttempts } from "./attempts.ts";
import { type BatchRunOptions, createBatchRun } from "./batch-run.ts";
import { awaitingQuotesOutcome } from "./decide-command.ts";
import { type CommandOutcome, type NextStep, OUTCOMES } from "./outcome.ts";
import { createOutcomeLimits } from "./outcome-limits.ts";
import { endCommand, type QueuedCommand } from "./queued-command.ts";

export interface ExecutorOptions extends Omit<BatchRunOptions, "onCommit">, AttemptOptions {
  /** The maximum number of commands in one transaction. With 1 every command has its own. */
  readonly batchMax?: number | undefined;
}

type UnknownFateListener = (accounts: ReadonlySet<AccountId>) => void;

const BATCH_MAX = 512;

/** The executor of one database. `outcome.ts` explains how it works. @rule S3.orders */
export function createExecutor(options: ExecutorOptions): Executor {
  const { timer, batchMax = BATCH_MAX } = options;
  const commitListeners: CommitListener[] = [];
  const unknownFateListeners: UnknownFateListener[] = [];
  let queue: QueuedCommand[] = [];
  let working: Promise<void> | null = null;
  /** Work during which the executor is not idle: pauses of commands in account queues, and reads of receipts. */
  const pauses = new Set<Promise<void>>();
  let calls = 0;

  const keepBusy = (waiting: Promise<void>): void => {
    pauses.add(waiting);
    void waiting.finally(() => pauses.delete(waiting));
  };
  const enqueue = (command: QueuedCommand): void => {
    queue.push(command);
    working ??= work();
  };
  /** Puts the command into the executor's queue, or into the queue of its account when the account waits. */
  const enter = (command: QueuedCommand): void => {
    const line = accountQueues.queueOf(command.submission.accountId);
    if (line === undefined) enqueue(command);
    else if (line.quotes === null) accountQueues.add(command);
    else follow(command, awaitingQuotesOutcome(command.submission, line.quotes));
  };
  const follow = (command: QueuedCommand, outcome: CommandOutcome): void =>
    void followOutcome(command, limits.applyLimit(command, outcome));

  /**
   * Does what the outcome's row in `OUTCOMES` requires. Returns `now` or `later` for a command that is decided again,
   * and null otherwise.
   */
  const followOutcome = (
    command: QueuedCommand,
    outcome: CommandOutcome,
  ): "now" | "later" | null => {
    const row: NextStep = OUTCOMES[outcome.is];
    if (row.next === "retry" && row.pauseMs === 0) return "now";
    if (row.next === "retry") {
      const over = delay(timer, row.pauseMs).then(() => null);
      keepBusy(accountQueues.pause(command, null, over));
      return "later";
    }
    if ("quotes" in outcome) {
      const { quotes } = outcome;
      keepBusy(accountQueues.pause(command, quotes, limits.waitForQuotes(command, quotes)));
      return "later";
    }
    if (outcome.is === "refused" && command.submission.isRepeat === true) {
      keepBusy(attempts.replay(command, outcome));
    } else if (row.next === "forward") void attempts.beginAfter(command, row.pauseMs);
    else if (row.next === "replay") keepBusy(attempts.replay(command));
    else endCommand(command, outcome);
    return null;
  };

  const attempts = createAttempts(options, { enter, follow, keepBusy });
  const limits = createOutcomeLimits({ ...options, ...attempts });
  const accountQueues = createAccountQueues({ onFree: enqueue, onEnd: endCommand });
  const runBatch = createBatchRun({
    ...options,
    onCommit(moved) {
      for (const listener of commitListeners) listener(moved);
    },
  });

  const runRound = async (round: readonly QueuedCommand[]): Promise<void> => {
    const found = await runBatch(round.map(({ submission }) => submission));
    const outcomes = round.map((command, at) =>
      limits.applyLimit(command, found[at] ?? NOT_DECIDED),
    );
    reportUnknown(unknownFateListeners, round, outcomes);
    const again = round.map((command, at) => followOutcome(command, outcomes[at] ?? NOT_DECIDED));
    if (again.includes("later")) {
      const paused = accountsOf(round, (at) => again[at] === "later");
      const later = queue.filter(({ submission }) => paused.has(submission.accountId));
      queue = queue.filter(({ submission }) => !paused.has(submission.accountId));
      for (const command of later) enter(command);
    }
    if (again.includes("now")) queue = [...round.filter((_, at) => again[at] === "now"), ...queue];
  };
  const work = async (): Promise<void> => {
    while (queue.length > 0) {
      // Commands that come in the same turn of the event loop join the same batch.
      await yieldToEventLoop();
      await runRound(queue.splice(0, batchMax));
    }
    working = null;
  };

  return {
    submit: (submission) =>
      new Promise((resolve, reject) => {
        calls += 1;
        const state = { number: calls, tries: null, quotesUntilMs: null, forwarded: null };
        attempts.begin({ submission, resolve, reject, isReady: true, ...state });
      }),
    async idle() {
      while (working !== null || pauses.size > 0) await Promise.all([working, ...pauses]);
    },
    onCommit: (listener) => void commitListeners.push(listener),
    onUnknownFate: (listener) => void unknownFateListeners.push(listener),
  };
}

const NOT_DECIDED: CommandOutcome = {
  is: "unknown",
  cause: new Error("broken invariant: one outcome for each command"),
};

function accountsOf(
  round: readonly QueuedCommand[],
  isMeant: (index: number) => boolean,
): ReadonlySet<AccountId> {
  return new Set(
    round.filter((_, at) => isMeant(at)).map(({ submission }) => submission.accountId),
  );
}

/** Listeners are called before the callers are answered, so that a listener knows of an unknown fate first. */
function reportUnknown(
  listeners: readonly UnknownFateListener[],
  round: readonly QueuedCommand[],
  outcomes: readonly CommandOutcome[],
): void {
  const isReported = ({ is }: CommandOutcome): boolean => OUTCOMES[is].next === "report";
  if (!outcomes.some(isReported)) return;
  const accounts = accountsOf(round, (at) => isReported(outcomes[at] ?? NOT_DECIDED));
  for (const listener of listeners) listener(accounts);
}
