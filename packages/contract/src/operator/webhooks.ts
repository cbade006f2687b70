import { type EventType, isEventType } from "../resources/events/events.ts";
import {
  boolean,
  count,
  id,
  list,
  nullable,
  object,
  optional,
  string,
  time,
  uuid,
  type Wire,
  word,
} from "../schema.ts";
import { type AlertType, isAlertType } from "./alerts.ts";
import { describeList } from "./lists/list-description.ts";

/**
 * The state of a webhook. `active`: it sends. `parked`: it is stopped for at least one lane. `disabled`: it is switched
 * off.
 */
const WEBHOOK_STATES = ["active", "parked", "disabled"] as const;

/**
 * Why a webhook is parked or disabled. `gone`: the receiver answered 410. `operator`, `owner`: who switched it off.
 * `ladder`: a lane is parked.
 */
const WEBHOOK_REASONS = ["gone", "operator", "owner", "ladder"] as const;

const LANE_STATES = ["idle", "waiting", "parked"] as const;

/**
 * Why an attempt got no answer. `timeout`: no connection within 3 s, or no response headers within 10 s. `connect`: the
 * connection failed. `tls`: its encryption failed. `reset`: the connection ended without a valid response header.
 * `dns`: the name has no address. `address`: the service may not call the address.
 */
const DELIVERY_ERRORS = ["timeout", "connect", "reset", "dns", "tls", "address"] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/**
 * Where the lanes of a new webhook begin: `head` after the newest event of each account, `start` at the first event of
 * each account.
 */
export const WEBHOOK_BEGINNINGS = ["head", "start"] as const;

/**
 * The body of a delivery. `event`: the event as JSON. `sentence`: a sentence about it, as `{"content"}` for Discord and
 * `{"text"}` for other addresses.
 */
export const WEBHOOK_PAYLOADS = ["event", "sentence"] as const;
const payload = word(
  WEBHOOK_PAYLOADS,
  "`event`: the event as JSON. `sentence`: one sentence about it, for chats such as Discord, Slack and Mattermost.",
);

/**
 * The schemes of a delivery's signatures. `v1`: an HMAC with the webhook's secret. `v1a`: Ed25519 with the key of the
 * installation, which GET evidence-keys publishes.
 */
export const WEBHOOK_SIGNATURES = ["v1", "v1a"] as const;
export type WebhookSignature = (typeof WEBHOOK_SIGNATURES)[number];
const signatures = list(
  word(
    WEBHOOK_SIGNATURES,
    "`v1`: an HMAC with the webhook's secret. `v1a`: an Ed25519 signature, which anyone can check with the service's public key.",
  ),
  "The signatures of each delivery: only `v1`, or `v1` and `v1a`.",
);

/** The type of an event or alert that a webhook can send. */
export type WebhookType = EventType | AlertType;

export function isWebhookType(text: string): text is WebhookType {
  return isEventType(text) || isAlertType(text);
}

/** True when a webhook of these types sends events of accounts. With null it sends all events. */
export function namesEvents(types: readonly WebhookType[] | null): boolean {
  return types?.some(isEventType) ?? true;
}

/** True when a webhook of these types sends alerts. With null it sends no alert. */
export function namesAlerts(types: readonly WebhookType[] | null): boolean {
  return types?.some(isAlertType) ?? false;
}

const FIELDS = {
  id: id("`wh_` and 32 hexadecimal digits."),
  url: string(
    "Scheme, host and port of the address, then `/…` and the last four characters of the address.",
  ),
  label: string("Label of the webhook for display."),
  types: nullable(
    list(
      id("A type of event or alert."),
      "The types that are sent; null for every type of event and no alert.",
    ),
  ),
  accountId: nullable(uuid("The account whose events are sent; null for every account.")),
  programId: nullable(
    id(
      "The program whose accounts' events are sent; null for every program. An event belongs to the program that applies to the account after it.",
    ),
  ),
  payload,
  signatures,
  enabled: boolean(
    "False while the webhook is switched off: nothing is sent, and nothing is lost.",
  ),
  state: word(
    WEBHOOK_STATES,
    "`active`: it sends. `parked`: a delivery queue has stopped after its last retry. `disabled`: it is switched off.",
  ),
  stateReason: nullable(
    word(
      WEBHOOK_REASONS,
      "Why the webhook is not active; null while it is. `gone`: the receiver answered 410. `operator`, `owner`: who switched it off. `ladder`: a delivery queue is parked.",
    ),
  ),
  stateSinceMs: time(
    "When the webhook entered this state: it was enabled or disabled, or its first delivery queue was parked.",
  ),
  parkedLanes: count("Number of delivery queues that have stopped after their last retry."),
  overlapUntilMs: nullable(
    time(
      "Time until which the previous secret also signs, after a rotation; null without an overlap.",
    ),
  ),
  createdAtMs: time("When the webhook was created."),
};

export const WEBHOOK = object("A webhook, without its secret.", FIELDS);
export const WEBHOOKS_LIST = describeList(WEBHOOK, {
  sort: "-createdAtMs",
  ties: ["id"],
  parts: ["label"],
  beginnings: ["id", "accountId", "programId"],
  isCounted: true,
});
export type Webhook = Wire<typeof WEBHOOK>;

export const NEW_WEBHOOK = object("A webhook to create.", {
  url: string("The address to send to; it must use https."),
  label: optional(string("Label of the webhook for display.")),
  types: optional(
    nullable(
      list(
        string("A type of event or alert."),
        "The types to send; null for every type of event and no alert.",
      ),
    ),
  ),
  accountId: optional(nullable(string("Only events of this account; null for every account."))),
  programId: optional(
    nullable(
      string(
        "Only events of accounts that are on this program, in any version; null for every program.",
      ),
    ),
  ),
  from: optional(
    word(
      WEBHOOK_BEGINNINGS,
      "Where its delivery queues begin. `head`: after the newest event of each account. `start`: at the first one.",
    ),
  ),
  payload: optional(payload),
  signatures: optional(signatures),
  enabled: optional(boolean("False: nothing is sent before the webhook is enabled.")),
});
export type NewWebhookRequest = Wire<typeof NEW_WEBHOOK>;

export const MADE_WEBHOOK = object(
  "The new webhook with its secret, which no other answer contains.",
  {
    ...FIELDS,
    secret: string("The secret that signs the deliveries: `whsec_` and 32 bytes in base64."),
  },
);

export const CHANGE_WEBHOOK = object(
  "The fields to change. New types apply from the next event of each delivery queue on.",
  {
    url: optional(string("The new address to send to; it must use https.")),
    label: optional(string("Label of the webhook for display.")),
    types: optional(
      nullable(
        list(
          string("A type of event or alert."),
          "The types to send; null for every type of event and no alert.",
        ),
      ),
    ),
    payload: optional(payload),
    signatures: optional(signatures),
    enabled: optional(boolean("True: the webhook sends. False: it is switched off.")),
  },
);
export type ChangeWebhookRequest = Wire<typeof CHANGE_WEBHOOK>;

/** The answer of `webhooks.delete`: the id of the deleted webhook. */
export const WEBHOOK_ID = object(
  "The webhook that was deleted with its delivery queues and attempts.",
  {
    id: string("The id of the webhook."),
  },
);

export const ROTATE_WEBHOOK = object("How long the previous secret also signs.", {
  overlapMs: count("The overlap in milliseconds, from 0 to seven days."),
});
export type RotateWebhookRequest = Wire<typeof ROTATE_WEBHOOK>;

/** The fields of which one chooses a lane. When both are left out, all lanes are chosen. */
const LANE = {
  accountId: optional(string("The delivery queue of this account's events.")),
  ownerId: optional(
    nullable(
      string("The delivery queue of this owner's alerts; null for the alerts of the operator."),
    ),
  ),
};

export const LANE_CHOICE = object(
  "The parked delivery queue to resume, by `accountId` or `ownerId`; every parked one if both are omitted.",
  LANE,
);
export type ResumeWebhookRequest = Wire<typeof LANE_CHOICE>;

export const REPLAY_WEBHOOK = object(
  "The delivery queue to set back, by `accountId` or `ownerId`; every one if both are omitted. Exactly one of `fromSequence` and `fromMs` is required.",
  {
    ...LANE,
    fromSequence: optional(
      count(
        "Sequence number of the first event or alert to send again; it must be 1 if `accountId` and `ownerId` are omitted.",
      ),
    ),
    fromMs: optional(time("Events and alerts from this time on are sent again.")),
  },
);
export type ReplayWebhookRequest = Wire<typeof REPLAY_WEBHOOK>;

export const WEBHOOK_LANE = object(
  "A lane: the delivery queue of a webhook for the events of one account, or the alerts of one owner.",
  {
    accountId: nullable(uuid("The account of the events; null for a queue of alerts.")),
    ownerId: nullable(
      id("The account's owner, or the owner of the alerts; null for the alerts of the operator."),
    ),
    state: word(
      LANE_STATES,
      "`idle`: everything was sent. `waiting`: an event or alert waits to be sent or sent again. `parked`: the queue has stopped after its last retry.",
    ),
    deliveredSequence: count(
      "Every event or alert up to this sequence number was accepted by the receiver, or is not one that the webhook sends.",
    ),
    behind: count("Number of events or alerts after `deliveredSequence`."),
    attempts: count("Number of failed attempts for the next event or alert."),
    nextAttemptMs: nullable(time("When the next attempt is due; null when nothing waits.")),
    lastStatus: nullable(count("HTTP status of the last answer; null without an answer.")),
  },
);

/** The list of a webhook's lanes. */
export const LANES_LIST = describeList(WEBHOOK_LANE, {
  sort: "accountId",
  ties: ["queue"],
  beginnings: ["accountId", "ownerId"],
});

const RESULT = {
  status: nullable(count("HTTP status of the answer; null without an answer.")),
  latencyMs: count("Duration of the attempt in milliseconds."),
  answer: nullable(string("The first 512 bytes of the answer's body; null without an answer.")),
  error: nullable(word(DELIVERY_ERRORS, "Why no answer came; null when there is a `status`.")),
};

export const WEBHOOK_DELIVERY = object("One delivery attempt of the last 30 days.", {
  accountId: nullable(uuid("The account of the event; null for a test or an alert.")),
  eventId: id("The id of the event or alert, which is the `webhook-id` header of every attempt."),
  atMs: time("When the attempt began."),
  attempt: count(
    "Number of the attempt, from 1. It starts at 1 again after the queue is resumed or set back.",
  ),
  ...RESULT,
});

/** The list of attempts. Attempts with the same time are in the order in which they were recorded. */
export const DELIVERIES_LIST = describeList(WEBHOOK_DELIVERY, {
  sort: "-atMs",
  ties: ["recorded"],
  beginnings: ["eventId", "accountId"],
});

export const WEBHOOK_ATTEMPT = object("The result of one attempt outside the delivery queues.", {
  ...RESULT,
});

export const SEND_EVENT = object(
  "An event or alert to send once more, outside the delivery queues.",
  {
    eventId: string("The id of an event or alert of a type that the webhook sends."),
  },
);
export type SendEventRequest = Wire<typeof SEND_EVENT>;
