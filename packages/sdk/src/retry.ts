import { orAborted } from "./deadline.ts";
import { AbortedError, PropgateError, RejectedError, UnexpectedAnswerError } from "./errors.ts";

/** How often a request is repeated, and the waits between the attempts. */
export interface RetryPlan {
  /** Maximum number of attempts, including the first; with 1 there is no retry. */
  readonly attempts: number;
  /**
   * The wait before the second attempt, which doubles before each further attempt. A `Retry-After` of the answer
   * replaces it.
   */
  readonly firstWaitMs: number;
  /** The longest wait before an attempt. When a longer wait would be needed, the error is thrown instead. */
  readonly longestWaitMs: number;
  /** Resolves after this many milliseconds, or when the signal aborts. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** The repetitions of a read when the caller sets none. */
export const DEFAULT_RETRY: RetryPlan = {
  attempts: 3,
  firstWaitMs: 250,
  longestWaitMs: 10_000,
  wait: sleep,
};

/**
 * Waits this many milliseconds. The wait ends early when the signal aborts, because a remaining timer would keep the
 * program alive.
 */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}

/**
 * Runs `attempt`, and repeats it when no answer came or after a 429, 502, 503 or 504 of the service or of a proxy in
 * front of it. It also repeats `attempt` after a 409 for the random nonce, which means that a proxy has sent the
 * request twice. Each attempt signs the request again, because a nonce can be used only once. @rule S7.R2 decides
 */
export async function withRetry<Value>(
  { plan, signal }: { readonly plan: RetryPlan; readonly signal: AbortSignal | null },
  attempt: () => Promise<Value>,
): Promise<Value> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = waitBefore(plan, attempts, error);
      if (waitMs === null) throw error;
      await pause(plan, waitMs, signal);
    }
  }
}

/** Waits with the plan's `wait`. Throws AbortedError as soon as the signal aborts. */
export async function pause(
  plan: RetryPlan,
  waitMs: number,
  signal: AbortSignal | null,
): Promise<void> {
  try {
    await orAborted(plan.wait(waitMs, signal ?? undefined), signal);
  } catch (cause) {
    throw signal?.aborted ? new AbortedError(cause, false) : cause;
  }
}

/** The wait before the next attempt; null when the error is final. */
function waitBefore(plan: RetryPlan, attempts: number, error: unknown): number | null {
  if (attempts >= plan.attempts || !isTemporary(error)) return null;
  const waitMs = retryAfterOf(error) ?? plan.firstWaitMs * 2 ** (attempts - 1);
  return waitMs <= plan.longestWaitMs ? waitMs : null;
}

function retryAfterOf(error: unknown): number | null {
  if (error instanceof RejectedError) return error.rejection.retryAfterMs;
  return error instanceof UnexpectedAnswerError ? error.retryAfterMs : null;
}

function isTemporary(error: unknown): boolean {
  if (error instanceof RejectedError) return error.isTemporary || error.code === "nonceUsed";
  if (error instanceof UnexpectedAnswerError) return error.isTemporary;
  return error instanceof PropgateError && error.code === "unreachable";
}
