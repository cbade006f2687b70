import type { AccountState } from "../state/account.ts";
import type { Event } from "../state/event.ts";
import type { ObservedEvent } from "./observed-event.ts";

/**
 * Reads the event of a line of any account's journal. The text is not checked: only the service writes it, and the hash
 * chain protects it.
 */
export function parseLineEvent(text: string): Event | ObservedEvent {
  return JSON.parse(text) as Event | ObservedEvent;
}

/** Reads the event of a line that was decided here, as are all lines of an account of the service's own network. */
export function parseEvent(text: string): Event {
  return JSON.parse(text) as Event;
}

/** Reads the stored text of an account's state, which the service wrote. */
export function parseState(text: string): AccountState {
  return JSON.parse(text) as AccountState;
}
