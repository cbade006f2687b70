/** The parts that can be made to fail, each with its states. The first state is the normal one. */
export const FAULTS = {
  /** The trading network cannot be reached. */
  network: ["up", "down"],
  /** The trade history answers with an error. */
  trades: ["up", "error"],
  /** The statistics are down: their figures are unknown, and the answer is marked stale. */
  stats: ["up", "down"],
  /** An order is carried out but its answer is lost, or the order is never answered. */
  orders: ["ok", "acceptThenDrop", "hang"],
  /** Stored key secrets cannot be opened. */
  secrets: ["ok", "undecryptable"],
  /** The receivers of webhooks answer 500, answer after eight seconds, or do not answer. */
  webhooks: ["ok", "fail", "slow", "hang"],
  /**
   * The answer to the next write of the operator's interface is lost, and the write is carried out or not. Then the
   * state is `ok` again.
   */
  operator: ["ok", "acceptThenDrop", "drop"],
} as const;

/** A state for each part of `FAULTS`. */
export type Faults = {
  readonly [Name in keyof typeof FAULTS]: (typeof FAULTS)[Name][number];
};

/** The present state of each part that can fail. */
export interface FaultBoard {
  read(): Faults;
  set(change: { readonly [Name in keyof Faults]?: Faults[Name] | undefined }): void;
  /** Calls the listener after each change. */
  onChange(listener: () => void): void;
  /** Resolves at the next change. */
  nextChange(): Promise<void>;
}

export function createFaultBoard(): FaultBoard {
  let faults: Faults = {
    network: "up",
    trades: "up",
    stats: "up",
    orders: "ok",
    secrets: "ok",
    webhooks: "ok",
    operator: "ok",
  };
  const listeners: (() => void)[] = [];
  let waiting: (() => void)[] = [];
  return {
    read: () => faults,
    set(change) {
      faults = {
        network: change.network ?? faults.network,
        trades: change.trades ?? faults.trades,
        stats: change.stats ?? faults.stats,
        orders: change.orders ?? faults.orders,
        secrets: change.secrets ?? faults.secrets,
        webhooks: change.webhooks ?? faults.webhooks,
        operator: change.operator ?? faults.operator,
      };
      for (const listener of listeners) listener();
      for (const wake of waiting) wake();
      waiting = [];
    },
    onChange: (listener) => void listeners.push(listener),
    nextChange: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
