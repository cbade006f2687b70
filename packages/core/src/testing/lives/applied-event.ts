import type { AccountState } from "../../state/account.ts";
import type { Event } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";

/** One event in the life of a test account, with the account before and after it and the moment of its command. */
export interface AppliedEvent<One extends Event = Event> {
  readonly event: One;
  /** The account before the event; null only for the event that opens it. */
  readonly before: AccountState | null;
  readonly after: AccountState;
  readonly moment: Moment;
  /** The next event of the same command; null for the command's last event. */
  readonly next: Event | null;
}

/** Whether the event restarts the balance, the day and the high-water mark at the account's size. */
export function restartsLedger({ type }: Event): boolean {
  return type === "challengePassed" || type === "proStarted";
}

const DAY_MS = 86_400_000;

/** Whether the time is Monday 00:00 UTC; 1970-01-05 was a Monday. */
export function isMondayMidnight(at: number): boolean {
  return (at - 4 * DAY_MS) % (7 * DAY_MS) === 0;
}
