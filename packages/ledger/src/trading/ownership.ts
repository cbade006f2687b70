import type { AccountId } from "@propgate/core";
import type { Lease } from "../storage/leases/lease-store.ts";

/**
 * The accounts that this node decides. With several nodes, only the owner of its partition decides an account;
 * a process without NATS has no ownership and decides all.
 */
export interface Ownership {
  /** The lease to decide the account under now; null while this node must not. */
  leaseOf(account: AccountId): Lease | null;
  /** The partitions that this node watches and settles, in order. */
  partitions(): readonly number[];
  /** Called when the database refused a batch, because one of these leases has a newer epoch. */
  refused(leases: readonly Lease[]): void;
}

/** Whether this node decides an account, of whichever database. */
export type AccountOwnership = Pick<Ownership, "leaseOf">;

/** The account belongs to another node, or to none yet. Nothing was written. */
export class NotOwner extends Error {
  override readonly name = "NotOwner";

  constructor() {
    super("another node owns the account, so nothing was written");
  }
}
