import { type PerDatabase, partOf } from "../../storage/databases/per-database.ts";
import type { Ownership } from "../ownership.ts";

/** Whether this node decides an account of one of several databases. */
export function ownershipOfAll(
  parts: PerDatabase<Pick<Ownership, "leaseOf">>,
): Pick<Ownership, "leaseOf"> {
  return { leaseOf: (account) => partOf(parts, account).leaseOf(account) };
}
