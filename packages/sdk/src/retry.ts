import { PropgateError, RejectedError } from "./errors.ts";

/** How often something that changes nothing is asked, and how long is waited between. */
export interface RetryPlan {
  /** Tries in all, the first included; 1 repeats nothing. */
  readonly attempts: number;
  /** Doubles with every repetition, unless the answer names a time. */
  readonly firstWaitMs: number;
  /** A longer wait than this is not begun: the error is thrown instead. */
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
 * Runs `attempt` again after a 429, 502 or 503, and after no answer at all. The attempt signs afresh
 * each time: a repeated signature is a repeated nonce. @rule S7.R2
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
  if (tried >= plan.attempts || !passesByItself(error)) return null;
  const asked = error instanceof RejectedError ? error.rejection.retryAfterMs : null;
  const waitMs = asked ?? plan.firstWaitMs * 2 ** (tried - 1);
  return waitMs <= plan.longestWaitMs ? waitMs : null;
}

function passesByItself(error: unknown): boolean {
  if (error instanceof RejectedError) return error.isTemporary;
  return error instanceof PropgateError && error.code === "unreachable";
}
