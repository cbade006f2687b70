import { SWITCH_EVENTS } from "../../dead-mans-switch/switch-events.ts";
import {
  count,
  type Linked,
  list,
  object,
  type Schema,
  string,
  union,
  type Wire,
} from "../../schema.ts";
import { ACCOUNT_EVENTS } from "./account-events.ts";
import { ORDER_EVENTS } from "./order-events.ts";
import { POSITION_EVENTS } from "./position-events.ts";
import { PROGRAM_EVENTS } from "./program-events.ts";

/**
 * The schema of each type of event. Within v1 a type is never changed, and new ones may be added. @rule D9.eventViews
 */
export const EVENT_SCHEMAS = {
  ...ORDER_EVENTS,
  ...POSITION_EVENTS,
  ...PROGRAM_EVENTS,
  ...ACCOUNT_EVENTS,
  ...SWITCH_EVENTS,
};

export type EventType = keyof typeof EVENT_SCHEMAS;

/** Every type of event. */
export const EVENT_TYPES: readonly EventType[] = Object.keys(EVENT_SCHEMAS).filter(isEventType);

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENT_SCHEMAS, text);
}

/** The TypeScript type of an event of one type. */
export type EventOf<Type extends EventType, Unsent extends Linked = never> = Wire<
  (typeof EVENT_SCHEMAS)[Type],
  Unsent
>;
/** Item of GET events: an event of any type. */
export type AccountEvent<Unsent extends Linked = never> = {
  [Type in EventType]: EventOf<Type, Unsent>;
}[EventType];
/** `data` of an event of one type. */
export type EventData<Type extends EventType, Unsent extends Linked = never> = EventOf<
  Type,
  Unsent
>["data"];

/** The name of each type's schema in the OpenAPI document: `OrderFilledEvent`. */
export const EVENT_SCHEMA_NAMES: ReadonlyMap<EventType, string> = new Map(
  EVENT_TYPES.map((type) => [type, `${type.split(/[._]/).map(capitalized).join("")}Event`]),
);

/** The schema of an event of any type. */
export const EVENT: Schema<AccountEvent, AccountEvent<Linked>> = {
  json: union(
    "An event of the account. `type` decides its fields. Ignore types that you do not know.",
    ...Object.values<Schema<unknown>>(EVENT_SCHEMAS),
  ).json,
};

/** `data` of GET events. @rule D9.events */
export const EVENTS_PAGE = object("A page of events, oldest first.", {
  items: list(
    EVENT,
    "The events in the order of their sequence numbers; with `types`, only those types.",
  ),
  next: string(
    "Pass it back as `after`. It includes events that `types` excluded, so it can change even when the page is empty.",
  ),
  head: object(
    "The end of the journal. No more events follow when the sequence number in `next` equals `sequence`.",
    {
      sequence: count("Sequence number of the newest event."),
      hash: string("The hash of the newest event's journal line, 64 hexadecimal digits."),
    },
  ),
});
export type EventsPage<Unsent extends Linked = never> = Wire<typeof EVENTS_PAGE, Unsent>;

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
