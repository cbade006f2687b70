import type { EventData, EventType, Linked } from "@propgate/contract";
import type { Event, ObservedEvent } from "@propgate/core";
import { EVENT_TYPE_WORDS } from "./event-views.ts";

/** An event that was read at a validator, as the journal of a linked account keeps it. @rule D13.observed */
export function observedEvent<Type extends EventType>(
  type: Type,
  data: EventData<Type, Linked>,
  dueMs: number | null,
): ObservedEvent {
  return { type: CORE_TYPES[type], observed: true, dueMs, data: { ...data } };
}

const CORE_TYPES = Object.fromEntries(
  Object.entries(EVENT_TYPE_WORDS).map(([core, type]) => [type, core]),
) as Readonly<Record<EventType, Event["type"]>>;
