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

/** The event with which each piece of due work begins. Inactivity is not among them: it ends the account. */
const DUE_WORK: ReadonlySet<Event["type"]> = new Set([
  "dayEnded",
  "carryCharged",
  "sharesSplit",
  "dividendPaid",
  "switchFired",
]);

/**
 * The ending that the judgement after the command recorded, for a command that recorded no event of its own. Due work
 * before the command is judged at the same prices, so a passed challenge was passed before the command. When due work
 * eliminates the account, the command is refused, so a recorded elimination happened after the command. @rule D13.ended
 */
export function endingAfterDueWork(events: readonly Event[]): Ending | null {
  const ending = endingOf(events);
  return ending === "passed" && events.some(({ type }) => DUE_WORK.has(type)) ? null : ending;
}
