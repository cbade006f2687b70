import { monotonicNow } from "./clock.ts";

/** The deadline of some work, and the signal that aborts it. */
export interface Deadline {
  /** Aborts at the deadline, or with the caller's own signal. */
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline, at least 0. */
  leftMs(): number;
}

/** The time limit of some work, and a signal that may abort it earlier. */
export interface TimeLimit {
  readonly limitMs: number;
  /** The caller's own signal; null when there is none. */
  readonly signal: AbortSignal | null;
}

/** The work took longer than its limit. */
export class TimeIsOver extends Error {
  override readonly name = "TimeoutError";

  constructor(limitMs: number) {
    super(`it took longer than ${limitMs / 1000} s`);
  }
}

/** Runs `work` with a deadline. The deadline's timer is released when the work has ended. */
export async function withDeadline<Value>(
  { limitMs, signal }: TimeLimit,
  work: (deadline: Deadline) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const endsAt = monotonicNow() + limitMs;
  const abort = (): void => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(new TimeIsOver(limitMs)), limitMs);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  try {
    return await work({
      signal: controller.signal,
      leftMs: () => Math.max(0, endsAt - monotonicNow()),
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/**
 * Resolves with the work, or rejects with the signal's reason as soon as the signal aborts. So the call ends on time
 * even if the caller's `fetch` does not support signals.
 */
export async function orAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal | null,
): Promise<Value> {
  if (signal === null) return work;
  let end = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal.reason);
  });
  if (signal.aborted) end();
  signal.addEventListener("abort", end);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
