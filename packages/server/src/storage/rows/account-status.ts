import type { AccountStatus } from "@propgate/core";
import { assert } from "@propgate/core";

const STATUSES: readonly AccountStatus[] = ["provisioning", "active", "eliminated", "closed"];

/** The status in a column of the accounts. */
export function accountStatus(column: string): AccountStatus {
  const status = STATUSES.find((one) => one === column);
  assert(status !== undefined, `an account status, not ${column}`);
  return status;
}
