import type { Timer } from "@propgate/base";

/**
 * Runs work with a signal that aborts after `ms` milliseconds. The work must end when the signal aborts, because this
 * function waits for its end.
 */
export async function withinTime<Value>(
  timer: Timer,
  ms: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const over = new AbortController();
  const cancel = timer.after(ms, () => over.abort());
  try {
    return await work(over.signal);
  } finally {
    cancel();
  }
}
