import { type AccountEvent, EVENT } from "../resources/events/events.ts";
import { type Linked, list, nullable, object, type Schema, string, type Wire } from "../schema.ts";

/**
 * The fields that identify the account of an event. An event of `events.list` has them in addition to its own fields.
 */
const EVENT_ACCOUNT = object("The account of the event.", {
  accountId: string("The id of the account."),
  ownerId: string("The id of the account's owner."),
  externalId: nullable(string("The account's id in another system; null without one.")),
});

/** An event of any account: the fields that the account's owner also gets, and the fields of the account. */
export type OperatorEvent = AccountEvent<Linked> & Wire<typeof EVENT_ACCOUNT>;

const OPERATOR_EVENT: Schema<OperatorEvent> = {
  json: {
    ...EVENT_ACCOUNT.json,
    ...EVENT.json,
    description:
      "An event as the account's owner reads it, with its account. Ignore types that you do not know.",
  },
};

/**
 * A page of `events.list`. The events of one account are in the order of their sequences; events of different accounts
 * have no order.
 */
export const OPERATOR_EVENTS = object("A page of the events of all accounts.", {
  items: list(
    OPERATOR_EVENT,
    "The events of this page. Events of one account are in the order of their sequence numbers.",
  ),
  next: string(
    "Pass it as `after` to read the next page. It includes events that the filters excluded, so it can change even when the page is empty. " +
      "It does not change when there are no newer events.",
  ),
});
export type OperatorEvents = Wire<typeof OPERATOR_EVENTS>;
