import { delay, systemTimer } from "@propgate/base";
import type { EdgeLimits } from "./limits.ts";

/**
 * Delays answers that ask the client to retry later (429 and 503). A client that retries on every
 * answer then makes one call a second on each connection, not hundreds.
 */
export interface RefusalDelay {
  /** Resolves after the delay. False when too many answers are held: the connection should close. */
  delay(): Promise<boolean>;
}

/** The name of the fastify decoration that holds the `RefusalDelay` of the listener. */
export const HELD_REFUSALS = "heldRefusals";

/** Makes the delay of refusals for one listener. */
export function createRefusalDelay(
  limits: Pick<EdgeLimits, "refusalsHeldMax" | "refusalHoldMs">,
): RefusalDelay {
  let held = 0;
  return {
    async delay() {
      if (held >= limits.refusalsHeldMax) return false;
      held += 1;
      await delay(systemTimer, limits.refusalHoldMs);
      held -= 1;
      return true;
    },
  };
}
