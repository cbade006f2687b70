import { isAway, isLockTimeout, isTakenBack } from "../storage/databases/database-error.ts";
import { UnknownFate } from "./network/unknown-fate.ts";

/** One transaction of a batch. */
export interface Attempt {
  /** True when the attempt skips accounts that another session holds, with their commands. */
  readonly leavesOutHeld: boolean;
  /** Set right before the commit: from then on a failure may have committed. */
  reachesCommit: boolean;
}

/**
 * Carries out a batch. Retries once when the first attempt has surely changed nothing: the database
 * rolled it back, or failed before the commit was sent, as when this process had been stopped.
 * @throws UnknownFate when the batch may or may not have been committed, or both attempts failed
 */
export async function carryOutSafely<Value>(
  carryOut: (attempt: Attempt) => Promise<Value>,
): Promise<Value> {
  let leavesOutHeld = false;
  let isRetry = false;
  for (;;) {
    const attempt: Attempt = { leavesOutHeld, reachesCommit: false };
    try {
      return await carryOut(attempt);
    } catch (cause) {
      if (!leavesOutHeld && isLockTimeout(cause)) {
        leavesOutHeld = true;
        continue;
      }
      const isRolledBack = isTakenBack(cause) || (!attempt.reachesCommit && isAway(cause));
      if (isRetry || !isRolledBack) throw new UnknownFate(cause);
      isRetry = true;
    }
  }
}
