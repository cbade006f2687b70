import type { AccountState } from "../state/account.ts";
import type { Event } from "../state/event.ts";

/** The event of a journal's line. Only the executor writes the text, and the chain proves that. */
export function parseEvent(text: string): Event {
  return JSON.parse(text) as Event;
}

/** The account of a text that was made from its events. */
export function parseState(text: string): AccountState {
  return JSON.parse(text) as AccountState;
}
