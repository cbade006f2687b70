import type { Chance } from "@propgate/base";
import type { DeliveryResult } from "../delivery/webhook-sender.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The waits after each failed attempt but the last. When the attempt after the last wait fails too, the lane is parked.
 */
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
/**
 * The fraction by which a wait is randomly shortened or extended, so that deliveries that failed together are not
 * retried together.
 */
const JITTER = 0.2;

const GONE = 410;

/** How a lane continues after an attempt to deliver its next event. */
export type AttemptConsequence =
  /** The receiver has taken the event: it answered with any 2xx. */
  | { readonly is: "taken" }
  /** The receiver answered 410: it accepts no further event. */
  | { readonly is: "gone" }
  /** The attempt failed and was the last one of the retry schedule. */
  | { readonly is: "ended" }
  /** The attempt failed, and the next one follows after the wait. */
  | { readonly is: "again"; readonly waitMs: number };

/** The consequence of an attempt of an event. `attempts` is how many attempts the event has had, this one included. */
export function judgeAttempt(
  { status, retryAfterMs }: Pick<DeliveryResult, "status" | "retryAfterMs">,
  attempts: number,
  chance: Pick<Chance, "bytes">,
): AttemptConsequence {
  if (status !== null && status >= 200 && status < 300) return { is: "taken" };
  if (status === GONE) return { is: "gone" };
  const stepMs = WAITS_MS[attempts - 1];
  if (stepMs === undefined) return { is: "ended" };
  const fraction = Buffer.from(chance.bytes(2)).readUInt16BE() / 0xffff;
  const waitMs = Math.round(stepMs * (1 - JITTER + 2 * JITTER * fraction));
  return { is: "again", waitMs: Math.max(waitMs, retryAfterMs ?? 0) };
}
