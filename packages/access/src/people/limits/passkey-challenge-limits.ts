import { type Clock, clientNetworkOf } from "@propgate/base";

/**
 * Maximum number of challenges that one client network (`clientNetworkOf`) may request within a minute. The sign-in
 * page requests one when it opens, and another when its button is pressed.
 */
const CHALLENGES_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
/** Maximum number of client networks that are counted; beyond it the oldest count is dropped. */
const NETWORKS_MAX = 10_000;

/** Limits the number of passkey challenges for a client network. Each process counts for itself. */
export interface PasskeyChallengeLimits {
  /**
   * Counts a challenge and returns 0; or, when the limit is reached, returns the milliseconds until the next one is
   * allowed.
   */
  countOrWaitMs(address: string): number;
}

/** Creates the limit of passkey challenges that one client network may request in a minute. */
export function createPasskeyChallengeLimits({
  clock,
}: {
  readonly clock: Clock;
}): PasskeyChallengeLimits {
  const counts = new Map<string, { readonly sinceMs: number; count: number }>();
  return {
    countOrWaitMs(address) {
      const nowMs = clock.now();
      const network = clientNetworkOf(address);
      const known = counts.get(network);
      if (known === undefined || nowMs >= known.sinceMs + MINUTE_MS || nowMs < known.sinceMs) {
        counts.delete(network);
        const [oldest] = counts.keys();
        if (counts.size >= NETWORKS_MAX && oldest !== undefined) counts.delete(oldest);
        counts.set(network, { sinceMs: nowMs, count: 1 });
        return 0;
      }
      if (known.count >= CHALLENGES_PER_MINUTE) return known.sinceMs + MINUTE_MS - nowMs;
      known.count += 1;
      return 0;
    },
  };
}
