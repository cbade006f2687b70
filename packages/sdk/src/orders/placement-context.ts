import type { Deadline } from "../deadline.ts";
import type { RetryPlan } from "../retry.ts";
import type { Connection } from "../send.ts";
import type { OnProgress } from "./order-progress.ts";

/** How an order's fate is found out: the deadline, the attempts and the hook that shows them. */
export interface SettlementContext {
  readonly deadline: Deadline;
  /** The attempts to find out the order's fate, and the waits between them. */
  readonly plan: RetryPlan;
  readonly onProgress: OnProgress | null;
}

/** How an order is placed and its fate found out. */
export interface PlacementContext extends SettlementContext {
  /** The connection, whose signal is that of the deadline. */
  readonly connection: Connection;
}

/** The attempts of a settlement. Their number is not limited, because the deadline ends them. */
export const DEFAULT_SETTLING: Pick<RetryPlan, "attempts" | "firstWaitMs" | "longestWaitMs"> = {
  attempts: Number.POSITIVE_INFINITY,
  firstWaitMs: 100,
  longestWaitMs: 4000,
};
