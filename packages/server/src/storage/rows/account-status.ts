import type { AccountStatus } from "@propgate/core";
import { assert } from "@propgate/core";

const STATUSES: readonly AccountStatus[] = ["provisioning", "active", "eliminated", "closed"];

/** Parses the status column of an account. */
export function accountStatus(column: string): AccountStatus {
  const status = STATUSES.find((one) => one === column);
  assert(status !== undefined, `an account status, not ${column}`);
  return status;
}
