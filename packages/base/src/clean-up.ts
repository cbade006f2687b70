/**
 * Closes what failed work had opened, and returns the cause of the failure, so that the caller can throw it. Every step
 * is tried even when an earlier one failed, and no failure of a step replaces the cause.
 */
export async function cleanUpAfter<Cause>(
  cause: Cause,
  ...steps: readonly (() => Promise<unknown>)[]
): Promise<Cause> {
  for (const step of steps) {
    try {
      await step();
    } catch {
      // A step usually fails for the same reason as the work, and `cause` names that reason already.
    }
  }
  return cause;
}
