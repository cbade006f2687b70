import { columnNames, type ListColumns } from "../stores/row-lists.ts";
import type { Lease } from "./lease-store.ts";

/** The columns in which the leases of a batch are passed to its statement. */
export const LEASE_COLUMNS: ListColumns<Lease> = [
  ["name", "text", (lease) => lease.name],
  ["epoch", "bigint", (lease) => lease.epoch],
  ["owner", "uuid", (lease) => lease.owner],
];

/** The parts of a batch's statement that compare the epochs and owners of its leases with the stored ones. */
export interface Fence {
  readonly tables: string;
  readonly condition: string;
  /** Adds a result row without an account when a lease has another epoch or owner. */
  readonly failed: string;
}

/** The fence of a batch without leases, whose condition is always true. */
export const NO_FENCE: Fence = { tables: "", condition: "true", failed: "" };

/**
 * The fence of a batch with leases. `leases` is the SQL source of their rows. The fence locks the leases in order of
 * name, as claims do. The lock waits for the end of a claim that is under way, and then the epochs and owners are
 * compared. A later claim waits until the batch has committed.
 */
export const createFence = (leases: string): Fence => ({
  tables: `, wanted as materialized (
  select * from ${leases} as w (${columnNames(LEASE_COLUMNS)})
), held as materialized (
  select l.name from leases l join wanted w using (name)
  where l.epoch = w.epoch and l.owner = w.owner and (select lock_wait from limits) is not null
  order by l.name for share of l
), fence as materialized (
  select (select count(*) from held) = (select count(*) from wanted) as is_held
)`,
  condition: "(select is_held from fence)",
  failed: "union all select null from fence where not is_held",
});
