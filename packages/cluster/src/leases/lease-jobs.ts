import type { Job } from "@propgate/base";
import {
  CLAIM_EVERY_MS,
  type LeaseKeeper,
  RENEW_EVERY_MS,
  RENEW_RETRY_MS,
} from "./lease-keeper.ts";

/** The two jobs that claim and renew a keeper's leases. Their names begin with `name`, a noun in the singular. */
export function leaseJobs(
  name: string,
  keeper: Pick<LeaseKeeper, "claim" | "renew">,
): readonly Job[] {
  return [
    {
      name: `${name} claims`,
      everyMs: CLAIM_EVERY_MS,
      retryMs: CLAIM_EVERY_MS,
      run: () => keeper.claim(),
    },
    {
      name: `${name} renewals`,
      everyMs: RENEW_EVERY_MS,
      retryMs: RENEW_RETRY_MS,
      run: () => keeper.renew(),
    },
  ];
}
