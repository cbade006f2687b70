import type { Timer } from "@propgate/base";
import { type PerShard, perShard, shardOf } from "../../storage/shards/per-shard.ts";
import type { Execution, Executor, Submission } from "../executor-port.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import { DatabaseAtFault } from "../try-later.ts";

/** The executor of the accounts of one database, with the health of that database. */
export interface ExecutorShard {
  readonly executor: Executor;
  /** True while the database fails. */
  readonly isAtFault: () => boolean;
}

/** How often the health of a database is checked while commands wait for it. */
const HEALTH_CHECK_INTERVAL_MS = 250;

/**
 * The executors of several databases as one.
 *
 * A price waits for the settlements that it causes, so settlements on a failing database must not keep it waiting.
 * While a database fails, a command of the market or of the clock fails immediately, and the wait for a command that is
 * under way ends with an unknown fate. Its batch may still commit; then the listeners of commits are called as usual.
 * @throws DatabaseAtFault when the command had no effect, because the database of the account fails
 */
export function createShardedExecutor(parts: PerShard<ExecutorShard>, timer: Timer): Executor {
  // With a single database there is no other whose commands its failure could delay.
  if (parts.length === 1) return parts[0].executor;
  const guarded = perShard(parts, (part) => createGuardedSubmit(part, timer));
  return {
    submit(submission) {
      const { by } = submission.origin;
      return by === "market" || by === "clock"
        ? shardOf(guarded, submission.accountId)(submission)
        : shardOf(parts, submission.accountId).executor.submit(submission);
    },
    async idle() {
      await Promise.all(parts.map(({ executor }) => executor.idle()));
    },
    onCommit(listener) {
      for (const { executor } of parts) executor.onCommit(listener);
    },
    onUnknownFate(listener) {
      for (const { executor } of parts) executor.onUnknownFate(listener);
    },
  };
}

type Submit = (submission: Submission) => Promise<Execution>;

/** Submits commands while the database works, and stops waiting for their answers when the database begins to fail. */
function createGuardedSubmit({ executor, isAtFault }: ExecutorShard, timer: Timer): Submit {
  const waiting = new Set<(cause: Error) => void>();
  let isLooking = false;
  const lookLater = (): void => {
    if (isLooking || waiting.size === 0) return;
    isLooking = true;
    timer.after(HEALTH_CHECK_INTERVAL_MS, checkHealth);
  };
  const checkHealth = (): void => {
    isLooking = false;
    if (isAtFault()) {
      for (const giveUp of waiting) giveUp(new UnknownFate(new DatabaseAtFault()));
      waiting.clear();
    }
    lookLater();
  };
  return async (submission) => {
    if (isAtFault()) throw new DatabaseAtFault();
    const answer = executor.submit(submission);
    return new Promise((resolve, reject) => {
      waiting.add(reject);
      lookLater();
      answer.then(resolve, reject).finally(() => waiting.delete(reject));
    });
  };
}
