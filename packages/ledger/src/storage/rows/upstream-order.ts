import type { ExecutionType, RefusalCode } from "@propgate/contract";
import type { AccountId, OrderUuid, PairId, UnixMs } from "@propgate/core";

/** The request of a key by which an order was placed. */
export interface OrderRequestId {
  readonly keyId: string;
  readonly nonce: string;
}

/** An order that is to be sent to the validator. It is committed before its first byte is sent. */
export interface NewUpstreamOrder {
  /** UUIDv5 of key and nonce, so the same request is the same order; a random UUID for an order without a key. */
  readonly orderUuid: OrderUuid;
  readonly accountId: AccountId;
  /** The request of a key; null for an order that the account's owner placed on the pages. */
  readonly request: OrderRequestId | null;
  /** The command's kind and pair, as operators see them. The pair is null when it acts on ids or on everything. */
  readonly executionType: ExecutionType;
  readonly tradePair: PairId | null;
  /** The command as JSON, with the data by which its fate is found. */
  readonly command: string;
  readonly createdAtMs: UnixMs;
}

/** An order as it is stored, from before it is sent until after its end. */
export interface UpstreamOrder extends NewUpstreamOrder {
  /**
   * `sending`: its end is not known. `completed`, `failed`: as the network answered. `never`: it was not handed to the
   * network.
   */
  readonly state: "sending" | "completed" | "failed" | "never";
  /** The latest time at which the request that sends the order ends; null when it was not stored. */
  readonly sentUntilMs: UnixMs | null;
  /** How many times a process took over the order's lease to find out how the order ended. */
  readonly attempts: number;
}

/** The end of an order, with its receipt. */
export interface OrderEnd {
  readonly orderUuid: OrderUuid;
  readonly accountId: AccountId;
  readonly request: OrderRequestId | null;
  readonly state: Exclude<UpstreamOrder["state"], "sending">;
  readonly endedAtMs: UnixMs;
  readonly receipt:
    | { readonly ok: true; readonly result: string }
    | {
        readonly ok: false;
        readonly status: number;
        readonly error: string;
        readonly refusalCode: RefusalCode | null;
      };
}

/**
 * The orders that are being sent to validators, and their ends. Leases are measured by the database's clock. In texts,
 * a NUL character, which PostgreSQL cannot store, becomes U+FFFD.
 */
export interface UpstreamOrderStore {
  /**
   * Commits the order before it is sent, takes its lease and moves the account's `behindSinceMs`, because the order may
   * change the account at any moment after that. Until the order ends, its receipt is pending. `known`: an order of
   * this uuid exists, and it stays as it is. `notCarriedOut`: its receipt was closed before, and it must not be sent.
   */
  begin(
    order: NewUpstreamOrder,
    sender: { readonly holder: string; readonly forMs: number; readonly sentUntilMs: UnixMs },
  ): Promise<"begun" | "known" | "notCarriedOut">;
  /**
   * Writes the order's state and receipt, the account's next revision and its `behindSinceMs`, in one transaction. Any
   * process may end an order. False, without a change, when the order has ended before or is not known.
   */
  end(end: OrderEnd): Promise<boolean>;
  /**
   * Takes over orders in `sending` whose lease is over. Orders whose lease ended first come first. Each order is taken
   * over by one process only.
   */
  takeOver(holder: string, forMs: number, limit: number): Promise<readonly UpstreamOrder[]>;
  /** Extends the leases of orders in `sending`; returns the orders whose lease the holder still has. */
  extendLeases(
    orders: readonly OrderUuid[],
    holder: string,
    forMs: number,
  ): Promise<ReadonlySet<OrderUuid>>;
  countSending(): Promise<{ readonly count: number; readonly oldestCreatedAtMs: UnixMs | null }>;
}
