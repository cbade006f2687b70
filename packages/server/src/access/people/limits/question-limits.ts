import type { Clock } from "../../../base/clock.ts";
import { networkOf } from "./failure-limits.ts";

/** The sign-in page requests a challenge when it opens, and another when the button is pressed. */
const QUESTIONS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
/** Max counted networks; beyond that the oldest is forgotten. */
const NETWORKS_MAX = 10_000;

/** Limits the passkey challenges of a network. Each process counts for itself. */
export interface QuestionLimits {
  /** The wait until the next challenge; 0 when one is allowed now. */
  ask(address: string): number;
}

export function createQuestionLimits({ clock }: { readonly clock: Clock }): QuestionLimits {
  const asked = new Map<string, { readonly sinceMs: number; count: number }>();
  return {
    ask(address) {
      const nowMs = clock.now();
      const network = networkOf(address);
      const known = asked.get(network);
      if (known === undefined || nowMs >= known.sinceMs + MINUTE_MS || nowMs < known.sinceMs) {
        asked.delete(network);
        const [oldest] = asked.keys();
        if (asked.size >= NETWORKS_MAX && oldest !== undefined) asked.delete(oldest);
        asked.set(network, { sinceMs: nowMs, count: 1 });
        return 0;
      }
      if (known.count >= QUESTIONS_PER_MINUTE) return known.sinceMs + MINUTE_MS - nowMs;
      known.count += 1;
      return 0;
    },
  };
}
