/** The times and limits of orders on their way to the gateway. */
export interface OrderTimes {
  /** The maximum duration of a call of submit-order. */
  readonly callMs: number;
  /** The time after the end of a call within which the network may still show the call's effect. */
  readonly resolveMs: number;
  /** The first wait between two requests for an order's fate; `lastCheckMs` is the longest one. */
  readonly firstCheckMs: number;
  readonly lastCheckMs: number;
  /** The longest wait between two requests for an order's fate after its deadline. */
  readonly overdueCheckMs: number;
  /**
   * The duration of an order's lease, which the order's process renews. When it ends, another process takes the order
   * over.
   */
  readonly leaseMs: number;
  /** The time that a stop waits for the calls that are under way. */
  readonly drainMs: number;
  /** The maximum number of orders whose fate one process looks for at the same time. */
  readonly fatesMax: number;
}

export const ORDER_TIMES: OrderTimes = {
  callMs: 60_000,
  resolveMs: 30_000,
  firstCheckMs: 1_000,
  lastCheckMs: 60_000,
  overdueCheckMs: 3_600_000,
  leaseMs: 15_000,
  drainMs: 10_000,
  fatesMax: 1_000,
};

/**
 * The maximum number of orders that are sent at the same time, in total and per account; how many more may wait, and
 * for how long.
 */
export const ORDER_SLOT_LIMITS = {
  perAccountMax: 4,
  max: 64,
  waitMs: 1_000,
  waitingMax: 256,
} as const;

/** The maximum number of concurrent requests for fates. */
export const FATE_REQUESTS_MAX = 8;
