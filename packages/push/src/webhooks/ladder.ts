import type { Chance } from "@propgate/base";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long the next attempt waits after each failed one. After one attempt more the lane is parked. */
const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Receivers that failed together are not tried together. */
const JITTER = 0.2;

/** The pause after that many failed attempts, with its jitter; null when the ladder has ended. */
export function waitAfter(attempts: number, chance: Pick<Chance, "bytes">): number | null {
  const waitMs = WAITS_MS[attempts - 1];
  if (waitMs === undefined) return null;
  const fraction = Buffer.from(chance.bytes(2)).readUInt16BE() / 0xffff;
  return Math.round(waitMs * (1 - JITTER + 2 * JITTER * fraction));
}
