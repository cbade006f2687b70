import type { Deadline } from "../deadline.ts";
import type { RetryPlan } from "../retry.ts";
import type { Connection } from "../send.ts";
import type { OnProgress } from "./order-progress.ts";

/** The means to find out an order's fate: the deadline, the plan of the attempts and the hook that shows them. */
export interface SettlementContext {
  readonly deadline: Deadline;
  /** The attempts to find out the order's fate, and the waits between them. */
  readonly plan: RetryPlan;
  readonly onProgress: OnProgress | null;
}

/** The connection over which an order is sent, and the means to find out its fate. */
export interface PlacementContext extends SettlementContext {
  /** The connection, whose signal is that of the deadline. */
  readonly connection: Connection;
}

/**
 * How a client repeats its attempts to find out the fate of an order whose answer was lost. The number of attempts is
 * not limited, because the deadline ends them.
 */
export const DEFAULT_SETTLING: Pick<RetryPlan, "attempts" | "firstWaitMs" | "longestWaitMs"> = {
  attempts: Number.POSITIVE_INFINITY,
  firstWaitMs: 100,
  longestWaitMs: 4000,
};
