import type { Event } from "../state/event.ts";

/**
 * An event of an account that a validator keeps. It was read there, not decided here: nothing can be decided again, and
 * no state follows from it.
 */
export interface ObservedEvent {
  /** The type of the event that says the same of an account of the service's own network. */
  readonly type: Event["type"];
  readonly observed: true;
  /** The validator's own time, milliseconds; null when it does not say one. */
  readonly dueMs: number | null;
  /** In the words of the contract; null for what the reading does not say. */
  readonly data: Readonly<Record<string, unknown>>;
}

export function isObserved(event: Event | ObservedEvent): event is ObservedEvent {
  return "observed" in event;
}
