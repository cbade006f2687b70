import { type AccountId, type AccountState, decide, evolve, type Moment } from "@propgate/core";
import type {
  CommitListener,
  Execution,
  Executor,
  Submission,
  VersionedState,
} from "../packages/server/src/network/executor-port.ts";

/** The network in memory, which commits only when it is told to, and no more than it is told. */
export interface PacedExecutor extends Executor {
  commit(most: number): void;
  /** Settled so far, and to be settled. */
  readonly settled: number;
  readonly waiting: number;
}

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
    return { ok: true, events: decision.value, account };
  };

  return {
    submit: (submission) =>
      new Promise((answer) => {
        waiting.push({ ...submission, answer });
      }),
    idle: async () => undefined,
    onCommit: (listener) => void listeners.push(listener),
    commit(most) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      settled += batch.length;
      for (const submission of batch) submission.answer(carryOut(submission));
    },
    get waiting() {
      return waiting.length;
    },
    get settled() {
      return settled;
    },
  };
}
