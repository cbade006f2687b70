import { RejectedError } from "./errors.ts";

/** How a read is repeated when the service says that it is worth it. */
export interface RetryPlan {
  /** Tries in all, the first included; 1 repeats nothing. */
  readonly attempts: number;
  /** Doubles with every repetition, unless the answer names a time. */
  readonly firstWaitMs: number;
  /** A longer wait than this is not begun: the rejection is thrown instead. */
  readonly longestWaitMs: number;
  readonly wait: (ms: number) => Promise<void>;
}

export const DEFAULT_RETRY: RetryPlan = {
  attempts: 3,
  firstWaitMs: 250,
  longestWaitMs: 10_000,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/**
 * Runs `attempt` again after a 429, 502 or 503. The attempt signs afresh each time: a repeated
 * signature is a repeated nonce. @rule S7.R2
 */
export async function withRetry<Value>(
  plan: RetryPlan,
  attempt: () => Promise<Value>,
): Promise<Value> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = waitBefore(plan, tried, error);
      if (waitMs === null) throw error;
      await plan.wait(waitMs);
    }
  }
}

/** Null: this error is final. */
function waitBefore(plan: RetryPlan, tried: number, error: unknown): number | null {
  if (!(error instanceof RejectedError && error.isTemporary)) return null;
  if (tried >= plan.attempts) return null;
  const waitMs = error.rejection.retryAfterMs ?? plan.firstWaitMs * 2 ** (tried - 1);
  return waitMs <= plan.longestWaitMs ? waitMs : null;
}
