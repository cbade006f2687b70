import type { Event } from "../state/event.ts";

/**
 * An event of an account that an external validator keeps. The service read the event there and did not decide
 * it, so it cannot be decided again and no state follows from it.
 */
export interface ObservedEvent {
  /** The type of the event that means the same for an account of the service's own network. */
  readonly type: Event["type"];
  readonly observed: true;
  /** The validator's own time of the event, in Unix milliseconds; null when the validator names none. */
  readonly dueMs: number | null;
  /** The fields of the event as the contract names them; null where the validator's answer has no value. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** True for an event that was read at a validator. */
export function isObserved(event: Event | ObservedEvent): event is ObservedEvent {
  return "observed" in event;
}
