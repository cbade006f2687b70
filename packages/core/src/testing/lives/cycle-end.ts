import type { CycleClosed } from "../../state/event.ts";

/**
 * The time at which a cycle was really closed. A cycle of zero length, or one that began later than the clock shows
 * because the clock was set back, is recorded with a later end. @rule D13.instantCycle
 */
export function cycleEndMs({ periodStartMs, periodEndMs, atMs }: CycleClosed): number {
  return periodStartMs >= atMs ? atMs : periodEndMs;
}
