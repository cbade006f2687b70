import { orAborted } from "../deadline.ts";

/** The next step of `placeOrder` or `settle`, for a program that shows it or stores the nonce. */
export interface OrderProgress {
  /**
   * `sending`: the order is sent next. `asking`: no clear answer came, so the client reads the order's receipt next.
   * `waiting`: the client reads it again after `waitMs`.
   */
  readonly step: "sending" | "asking" | "waiting";
  /**
   * The order's nonce. A second `sending` has a new one, because the service rejected the first one for its timestamp.
   */
  readonly nonce: string;
  /** Why the fate is not known yet, as a text for people; null with `sending`. */
  readonly reason: string | null;
  /** Milliseconds until the next attempt; 0 unless `waiting`. */
  readonly waitMs: number;
  /** The milliseconds until the deadline, at which the call resolves with `unknown` at the latest. */
  readonly leftMs: number;
}

/**
 * Called before each step. When it throws at `sending`, the order is not sent and the call throws the same error. A
 * promise that it returns at `sending` is awaited, so the nonce may be stored in a database: the order is sent once the
 * promise is fulfilled, and not at all when it rejects. At a later step the order may have been accepted, so an error
 * is ignored and a promise is not awaited.
 */
export type OnProgress = (progress: OrderProgress) => unknown;

/**
 * Calls the hook before the order is sent, and awaits it until the signal aborts. Throws the hook's error, unless the
 * signal has aborted: then the order is not sent anyway.
 */
export async function reportSending(
  onProgress: OnProgress | null,
  progress: OrderProgress,
  signal: AbortSignal | null,
): Promise<void> {
  if (onProgress === null) return;
  const stored = async (): Promise<unknown> => onProgress(progress);
  await orAborted(stored(), signal).catch((error: unknown) => {
    if (signal?.aborted !== true) throw error;
  });
}

/** Calls the hook at a step after `sending`. An error of the hook is ignored, so that the order is still settled. */
export function reportProgress(onProgress: OnProgress | null, progress: OrderProgress): void {
  const shown = async (): Promise<unknown> => onProgress?.(progress);
  // The caller needs the fate of the order, even if the hook could not show the step.
  shown().catch(() => {});
}
