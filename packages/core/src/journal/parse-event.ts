import type { AccountState } from "../state/account.ts";
import type { Event } from "../state/event.ts";
import type { ObservedEvent } from "./observed-event.ts";

/** The event of a line of any account's journal. Only the service writes the text, and the chain proves that. */
export function parseLineEvent(text: string): Event | ObservedEvent {
  return JSON.parse(text) as Event | ObservedEvent;
}

/** The event of a line that was decided here, as all lines of an account of the service's own network. */
export function parseEvent(text: string): Event {
  return JSON.parse(text) as Event;
}

/** The account of a text that was made from its events. */
export function parseState(text: string): AccountState {
  return JSON.parse(text) as AccountState;
}
