import type { EventData, EventType } from "@propgate/contract";
import type { Event } from "@propgate/core";
import type { EVENT_TYPE_WORDS } from "../../wire.ts";

/** The parts of an event that depend on its type. */
export interface ViewOf<Type extends EventType> {
  readonly type: Type;
  readonly data: EventData<Type>;
  /** When work of the clock was due; null for other events. */
  readonly dueMs: number | null;
}

export type EventView = { readonly [Type in EventType]: ViewOf<Type> }[EventType];

/** A view for each event of the core. */
export type EventViews = {
  readonly [Core in Event["type"]]: (
    event: Extract<Event, { type: Core }>,
  ) => ViewOf<(typeof EVENT_TYPE_WORDS)[Core]>;
};

export function view<Type extends EventType>(
  type: Type,
  data: EventData<Type>,
  dueMs: number | null = null,
): ViewOf<Type> {
  return { type, data, dueMs };
}
