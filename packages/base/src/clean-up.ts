/**
 * Closes what failed work had opened, and returns the cause of the failure, for a `throw`. Each step is tried although
 * an earlier one failed, and no failure of a step hides the cause.
 */
export async function cleanUpAfter<Cause>(
  cause: Cause,
  ...steps: readonly (() => Promise<unknown>)[]
): Promise<Cause> {
  for (const step of steps) {
    try {
      await step();
    } catch {
      // As a rule for the same reason, which the cause says first.
    }
  }
  return cause;
}
