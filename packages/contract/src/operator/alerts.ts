import { count, id, nullable, object, string, time, uuid, word } from "../schema.ts";
import { describeList } from "./lists/list-description.ts";

/** The types of alerts. A change of an account is an event, not an alert. */
const ALERT_TYPES = [
  "key.created",
  "key.revoked",
  "key.paused",
  "passkey.added",
  "session.opened",
  "webhook.parked",
  "webhook.disabled",
] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

const NAMES: ReadonlySet<string> = new Set(ALERT_TYPES);

export function isAlertType(text: string): text is AlertType {
  return NAMES.has(text);
}

export const ALERT = object(
  "An alert. Fields that do not apply to its type are null. `keyId`, `label` and `by` belong to alerts of API keys, `untilMs` to `key.paused`. `label` also belongs to passkeys, `address` and `browser` to sessions, `webhookId` and `reason` to webhooks.",
  {
    id: id("`alt_` and 32 hexadecimal digits."),
    number: nullable(
      count(
        "Number of the alert among those of its owner: 1, 2, 3, … without gaps. Null for the first second or two, until it is assigned.",
      ),
    ),
    type: word(
      ALERT_TYPES,
      "The type of the alert. `key.paused`: a key had too many rejected orders. `session.opened`: a person signed in from a network that was not used in 90 days.",
    ),
    atMs: time("When the cause of the alert happened."),
    ownerId: nullable(id("The owner that the alert concerns; null for an alert of the operator.")),
    accountId: nullable(uuid("The account that the alert concerns; null without one.")),
    keyId: nullable(id("The API key; null for alerts of other subjects.")),
    label: nullable(
      string("The label of the API key or passkey; null for alerts of other subjects."),
    ),
    by: nullable(
      string(
        "The person, token or component of the service that acted; null for alerts of other subjects.",
      ),
    ),
    untilMs: nullable(
      time("The end of the pause of order placement; null unless the type is `key.paused`."),
    ),
    address: nullable(string("The client's IP address; null for alerts of other subjects.")),
    browser: nullable(string("The client's user agent; null for alerts of other subjects.")),
    webhookId: nullable(id("The webhook; null for alerts of other subjects.")),
    reason: nullable(
      string(
        "`ladder`: the last delivery attempt failed. `gone`, `operator`, `owner`: why the webhook was disabled. Null for alerts of other subjects.",
      ),
    ),
  },
);

export const ALERTS_LIST = describeList(ALERT, {
  sort: "-atMs",
  ties: ["id"],
  beginnings: ["id", "ownerId", "accountId", "keyId", "webhookId"],
});
