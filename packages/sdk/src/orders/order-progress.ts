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
  /** The longest time until the call resolves with `unknown`, in milliseconds. */
  readonly leftMs: number;
}

/**
 * Called before each step. When it throws at `sending`, the order is not sent and the call throws the same error. At a
 * later step the order may have been accepted, so an error is ignored.
 */
export type OnProgress = (progress: OrderProgress) => void;

/** Calls the hook, if there is one. An error of the hook after the sending must not lose the order. */
export function reportProgress(onProgress: OnProgress | null, progress: OrderProgress): void {
  if (onProgress === null) return;
  if (progress.step === "sending") {
    onProgress(progress);
    return;
  }
  try {
    onProgress(progress);
  } catch {
    // An error of the hook is ignored, because the fate of the order is more important than its display.
  }
}
