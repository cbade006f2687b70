/** The next step of `placeOrder` or `settle`, for a program that shows it or stores the nonce. */
export interface OrderProgress {
  /**
   * `sending`: the order is being sent. `asking`: no clear answer came, so the client reads the order's
   * receipt. `waiting`: the client reads it again after `waitMs`.
   */
  readonly step: "sending" | "asking" | "waiting";
  /** The order's nonce. A second `sending` has a new one, because the first was rejected for its timestamp. */
  readonly nonce: string;
  /** Why the fate is not known yet, for people; null with `sending`. */
  readonly reason: string | null;
  /** Milliseconds until the next attempt; 0 unless `waiting`. */
  readonly waitMs: number;
  /** Milliseconds until the call resolves with `unknown`, at most. */
  readonly leftMs: number;
}

/**
 * Called before each step. An error that it throws at `sending` stops the order, which is not sent,
 * and is thrown; at a later step the order may be accepted already, so the error is ignored.
 */
export type OnProgress = (progress: OrderProgress) => void;

/** Calls the hook; an error of the hook must not lose the order. */
export function reportProgress(onProgress: OnProgress | null, progress: OrderProgress): void {
  if (onProgress === null) return;
  if (progress.step === "sending") {
    onProgress(progress);
    return;
  }
  try {
    onProgress(progress);
  } catch {
    // The fate of the order matters more than its display.
  }
}
