import type { Deadline } from "../deadline.ts";
import type { RetryPlan } from "../retry.ts";
import type { Connection } from "../send.ts";
import type { OnProgress } from "./order-progress.ts";

/** The plan and the deadline for finding out an order's fate. */
export interface Settling {
  readonly deadline: Deadline;
  /** The attempts to find out the order's fate, and the waits between them. */
  readonly plan: RetryPlan;
  readonly onProgress: OnProgress | null;
}

export interface Placing extends Settling {
  /** Its signal is the deadline's. */
  readonly connection: Connection;
}

/** The deadline, not the number of attempts, ends a settlement. */
export const DEFAULT_SETTLING: Pick<RetryPlan, "attempts" | "firstWaitMs" | "longestWaitMs"> = {
  attempts: Number.POSITIVE_INFINITY,
  firstWaitMs: 100,
  longestWaitMs: 4000,
};
