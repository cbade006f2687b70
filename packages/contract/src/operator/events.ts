import { isRecord } from "../record.ts";
import { type AccountEvent, EVENT_SCHEMAS } from "../resources/events/events.ts";
import { list, nullable, object, type Schema, string, union, type Wire } from "../schema.ts";

/** The account of an event. */
const EVENT_ACCOUNT = object("The event's account.", {
  accountId: string("The account."),
  ownerId: string("The account's owner."),
  externalId: nullable(string("The account's id in another system; null when it has none.")),
});

/** An event as its owner reads it, and its account. */
export type OperatorEvent = AccountEvent & Wire<typeof EVENT_ACCOUNT>;

const OPERATOR_EVENT: Schema<OperatorEvent> = {
  json: union(
    "An event as its owner reads it, and its account. Ignore types that you do not know.",
    ...Object.values<Schema<unknown>>(EVENT_SCHEMAS).map(ofAccount),
  ).json,
};

/** The events of one account are in the order of their sequences; between accounts there is no order. */
export const OPERATOR_EVENTS = object("A page of the events of all accounts.", {
  items: list(OPERATOR_EVENT, "The events of this page; of one account by sequence."),
  next: string(
    "Send it as `after` to read on. It is past the events that filters left out, so it moves also on an empty page. " +
      "At the newest event it stays the same.",
  ),
});
export type OperatorEvents = Wire<typeof OPERATOR_EVENTS>;

/** The schema of an event with the fields of its account. */
function ofAccount({ json }: Schema<unknown>): Schema<unknown> {
  const { properties, required, ...rest } = json;
  const account = EVENT_ACCOUNT.json;
  return {
    json: {
      ...rest,
      properties: { ...recordOf(properties), ...recordOf(account.properties) },
      required: [...listOf(required), ...listOf(account.required)],
    },
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
