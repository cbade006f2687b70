import type { AccountId } from "@propgate/core";
import type { Lease } from "../storage/leases/lease-store.ts";

/**
 * The accounts that this node decides. With several nodes, only the owner of an account's partition decides the
 * account. A process without NATS has no ownership and decides all accounts.
 */
export interface Ownership {
  /** The lease under which this node may decide commands on the account; null while it must not. */
  leaseOf(account: AccountId): Lease | null;
  /** The partitions that this node watches and settles, in order. */
  partitions(): readonly number[];
  /** Called when the database refused a batch, because one of these leases has a newer epoch. */
  onStaleLeases(leases: readonly Lease[]): void;
}

/** The leases under which this node decides accounts, on any database. */
export type AccountOwnership = Pick<Ownership, "leaseOf">;

/** The account belongs to another node, or to none yet. The command was not written. */
export class NotOwner extends Error {
  override readonly name = "NotOwner";

  constructor() {
    super("another node owns the account, so nothing was written");
  }
}
