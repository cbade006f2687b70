import { type AccountId, type AccountState, decide, evolve, type Moment } from "@propgate/core";
import type {
  CommitListener,
  Execution,
  Executor,
  Submission,
  VersionedState,
} from "../packages/ledger/src/trading/executor-port.ts";

/**
 * An executor that decides in memory, at the pace of a database. Like the service's executor, it carries out the
 * commands that arrived during one batch together in the next batch. A batch takes one tick, and another tick for each
 * sixteen commands. With one tick per millisecond, this is about as long as a batch on PostgreSQL.
 */
export interface PacedExecutor extends Executor {
  /** Advances the executor by one tick, which stands for a millisecond. */
  tick(): void;
  /** The number of commands that were carried out so far. */
  readonly settled: number;
  readonly isBusy: boolean;
}

const BATCH_MAX = 512;
const SETTLEMENTS_A_TICK = 16;

interface Waiting extends Submission {
  readonly answer: (execution: Execution) => void;
}

export function createPacedExecutor(
  states: readonly AccountState[],
  moment: () => Moment,
): PacedExecutor {
  const accounts = new Map<AccountId, VersionedState>(
    states.map((state) => [state.accountId, { version: 1, state }]),
  );
  const listeners: CommitListener[] = [];
  let waiting: Waiting[] = [];
  let batch: readonly Waiting[] = [];
  let ticksLeft = 0;
  let settled = 0;

  const carryOut = ({ accountId, command }: Submission): Execution => {
    const before = accounts.get(accountId);
    if (before === undefined) throw new Error(`no account ${accountId}`);
    const decision = decide(before.state, command, moment());
    if (!decision.ok) return decision;
    let { state } = before;
    for (const event of decision.value) state = evolve(state, event);
    const account = { version: before.version + decision.value.length, state };
    accounts.set(accountId, account);
    if (decision.value.length > 0) for (const listener of listeners) listener([account]);
    return { ok: true, events: decision.value, account, receipt: null };
  };

  return {
    submit: (submission) =>
      new Promise((answer) => {
        waiting.push({ ...submission, answer });
      }),
    idle: async () => undefined,
    onCommit: (listener) => void listeners.push(listener),
    onUnknownFate: () => undefined,
    tick() {
      if (ticksLeft > 0) ticksLeft -= 1;
      if (ticksLeft === 0) {
        for (const submission of batch) submission.answer(carryOut(submission));
        settled += batch.length;
        batch = waiting.slice(0, BATCH_MAX);
        waiting = waiting.slice(BATCH_MAX);
        if (batch.length > 0) ticksLeft = 1 + Math.ceil(batch.length / SETTLEMENTS_A_TICK);
      }
    },
    get isBusy() {
      return batch.length + waiting.length > 0;
    },
    get settled() {
      return settled;
    },
  };
}
