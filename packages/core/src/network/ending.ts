import type { Event } from "../state/event.ts";

/** How an account, or its challenge, ended. */
export type Ending = "eliminated" | "passed";

/** The ending that these events record; null when there is none. @rule D13.ended decides */
export function endingOf(events: readonly Event[]): Ending | null {
  for (const { type } of events) {
    if (type === "accountEliminated") return "eliminated";
    if (type === "challengePassed") return "passed";
  }
  return null;
}
