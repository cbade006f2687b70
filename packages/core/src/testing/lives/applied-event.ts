import type { AccountState } from "../../state/account.ts";
import type { Event } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";

/** One event of a life, with the account on either side of it and the world in which it happened. */
export interface AppliedEvent<One extends Event = Event> {
  readonly event: One;
  /** Null only before the account is opened. */
  readonly before: AccountState | null;
  readonly after: AccountState;
  readonly moment: Moment;
  /** What the same command did right after it; null: nothing. */
  readonly next: Event | null;
}

/** A balance, a day and everything measured against them begin again at the size. */
export function restartsLedger({ type }: Event): boolean {
  return type === "challengePassed" || type === "proStarted";
}

const DAY_MS = 86_400_000;

/** Whether a moment is the first of a Monday; 1970-01-05 was one. */
export function isMonday(at: number): boolean {
  return (at - 4 * DAY_MS) % (7 * DAY_MS) === 0;
}
