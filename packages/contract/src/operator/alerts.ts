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
  "An alert. A field that does not belong to its type is null: `keyId`, `label`, `by` belong to keys, `untilMs` to `key.paused`, `label` also to passkeys, `address` and `browser` to sessions, `webhookId` and `reason` to webhooks.",
  {
    id: id("`alt_` and 32 hexadecimal digits."),
    number: nullable(
      count("From 1, of one owner without a gap; null until it gets one, a second or two."),
    ),
    type: word(
      ALERT_TYPES,
      "`key.paused`: too many rejected orders. `session.opened`: from a network that the person was not seen in for 90 days.",
    ),
    atMs: time("When it happened."),
    ownerId: nullable(id("The owner it concerns; null for the operator's own.")),
    accountId: nullable(uuid("The account it concerns; null without one.")),
    keyId: nullable(id("The key.")),
    label: nullable(string("The label of the key or the passkey.")),
    by: nullable(string("The person, the token or the part of the service that did it.")),
    untilMs: nullable(time("The end of the pause.")),
    address: nullable(string("The client's address.")),
    browser: nullable(string("The client's user agent.")),
    webhookId: nullable(id("The webhook.")),
    reason: nullable(
      string("`ladder`: the last attempt failed. `gone`, `operator`, `owner`: why it is disabled."),
    ),
  },
);

export const ALERTS_LIST = describeList(ALERT, {
  sort: "-atMs",
  ties: ["id"],
  beginnings: ["id", "ownerId", "accountId", "keyId", "webhookId"],
});
