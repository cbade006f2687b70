import type { ExecutionType, RefusalCode } from "@propgate/contract";
import type { AccountId, OrderUuid, PairId, UnixMs } from "@propgate/core";

/** The request that an order was made by; null for an order of the account's owner on the pages. */
export interface OrderRequestId {
  readonly keyId: string;
  readonly nonce: string;
}

/** An order on its way to the validator. Committed before the first byte is sent. */
export interface NewUpstreamOrder {
  /** UUIDv5 of key and nonce: the same request is the same order. */
  readonly orderUuid: OrderUuid;
  readonly accountId: AccountId;
  readonly request: OrderRequestId | null;
  /** The command's kind and pair, as operators see them. The pair is null for an act on ids or on everything. */
  readonly executionType: ExecutionType;
  readonly tradePair: PairId | null;
  /** The command as JSON, with the data by which its fate is found. */
  readonly command: string;
  readonly createdAtMs: UnixMs;
}

export interface UpstreamOrder extends NewUpstreamOrder {
  /**
   * `sending`: its end is not known. `completed`, `failed`: as the network said. `never`: it was not
   * handed to the network.
   */
  readonly state: "sending" | "completed" | "failed" | "never";
  /** When the request that carries it is over at the latest. */
  readonly sentUntilMs: UnixMs | null;
  /** How many times its lease was taken over or kept, to find its end. */
  readonly attempts: number;
}

/** How an order ended, with its receipt. */
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
 * Orders on their way, and their ends. Leases are measured by the database's clock. In texts, a NUL character,
 * which PostgreSQL cannot store, becomes U+FFFD.
 */
export interface UpstreamOrderStore {
  /**
   * Commits the order before it is sent, takes its lease and sets the account's `behindSinceMs`: the order may
   * change the account at any moment from now on. Until it ends, its receipt is pending. `known`: an order of this uuid
   * exists; nothing is changed. `notCarriedOut`: its receipt was closed before; it must not be sent.
   */
  begin(
    order: NewUpstreamOrder,
    sender: { readonly holder: string; readonly forMs: number; readonly sentUntilMs: UnixMs },
  ): Promise<"begun" | "known" | "notCarriedOut">;
  /**
   * Writes the order's state and receipt, the account's next revision and its `behindSinceMs`, in one transaction. Any
   * process may end an order. False, without a change, when it has ended before or is not known.
   */
  end(end: OrderEnd): Promise<boolean>;
  /** Takes over orders in `sending` whose lease is over, the longest over first; each by one process only. */
  takeOver(holder: string, forMs: number, limit: number): Promise<readonly UpstreamOrder[]>;
  /** Extends the leases of orders in `sending`; returns those that the holder still has. */
  keep(
    orders: readonly OrderUuid[],
    holder: string,
    forMs: number,
  ): Promise<ReadonlySet<OrderUuid>>;
  sending(): Promise<{ readonly count: number; readonly oldestCreatedAtMs: UnixMs | null }>;
}
