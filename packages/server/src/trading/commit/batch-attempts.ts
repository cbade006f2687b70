import { isAway, isLockTimeout, isRolledBack } from "../../storage/databases/database-error.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import { NotOwner } from "../ownership.ts";

/** One transaction of a batch. */
export interface Attempt {
  /** True when the attempt skips accounts that another session holds, with their commands. */
  readonly skipsHeld: boolean;
  /**
   * Set right before the commit, or before the one statement that also commits: a later failure may
   * have committed.
   */
  reachesCommit: boolean;
}

/**
 * Carries out a batch. Retries once when the first attempt cannot have changed anything: the database
 * rolled it back, or failed before the commit was sent, for example because this process was paused.
 * @throws NotOwner when another node owns an account of the batch; nothing was changed
 * @throws UnknownFate when the batch may or may not have been committed, or both attempts failed
 */
export async function carryOutSafely<Value>(
  carryOut: (attempt: Attempt) => Promise<Value>,
  options: { readonly firstSkipsHeld: boolean } = { firstSkipsHeld: false },
): Promise<Value> {
  let skipsHeld = options.firstSkipsHeld;
  let isRetry = false;
  for (;;) {
    const attempt: Attempt = { skipsHeld, reachesCommit: false };
    try {
      return await carryOut(attempt);
    } catch (cause) {
      if (cause instanceof NotOwner) throw cause;
      if (!skipsHeld && isLockTimeout(cause)) {
        skipsHeld = true;
        continue;
      }
      if (isRetry || !changedNothing(cause, attempt)) throw new UnknownFate(cause);
      isRetry = true;
    }
  }
}

function changedNothing(cause: unknown, { reachesCommit }: Attempt): boolean {
  return isRolledBack(cause) || isLockTimeout(cause) || (!reachesCommit && isAway(cause));
}
