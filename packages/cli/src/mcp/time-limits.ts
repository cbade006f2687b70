import { usageError } from "../cli-error.ts";

/** Time limits of the tools. Agents' programs give up after 60 s or less and lose the answer. */
export interface TimeLimits {
  /** The time for an order, including the search for its fate. */
  readonly settleMs: number;
  /** The time for reading the figures that the agent's caps are compared with: at the start, and before each order. */
  readonly figuresMs: number;
}

export interface TimeOptions {
  readonly settleTimeout?: string;
}

/**
 * The maximum time for finding an order's fate. With the reads for the caps, an order is answered within 26 s.
 * @rule D10.settleDeadline
 */
export const SETTLE_SECONDS_MAX = 18;
const FIGURES_MS_MAX = 8000;

/** The limits of a read: three attempts of 8 s and two waits of 2 s, so within 28 s. */
export const READ_LIMITS = { timeoutMs: 8000, retry: { longestWaitMs: 2000 } } as const;

export function readTimeLimits({ settleTimeout }: TimeOptions): TimeLimits {
  const seconds = settleTimeout === undefined ? SETTLE_SECONDS_MAX : Number(settleTimeout);
  const isNumber = /^\d{1,2}(\.\d{1,3})?$/.test(settleTimeout ?? "1");
  if (!isNumber || seconds <= 0 || seconds > SETTLE_SECONDS_MAX) {
    throw usageError(
      `--settle-timeout must be seconds above 0, at most ${SETTLE_SECONDS_MAX}, not ${settleTimeout}`,
    );
  }
  const settleMs = seconds * 1000;
  return { settleMs, figuresMs: Math.min(settleMs, FIGURES_MS_MAX) };
}
