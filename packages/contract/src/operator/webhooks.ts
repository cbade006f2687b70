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

/** Why a webhook is parked or disabled. */
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
  "`event`: the event. `sentence`: a sentence about it, as Discord, Slack and Mattermost show it.",
);

/**
 * The schemes of a delivery's signatures. `v1`: an HMAC with the webhook's secret. `v1a`: Ed25519 with the key of the
 * installation, which GET evidence-keys publishes.
 */
export const WEBHOOK_SIGNATURES = ["v1", "v1a"] as const;
export type WebhookSignature = (typeof WEBHOOK_SIGNATURES)[number];
const signatures = list(
  word(WEBHOOK_SIGNATURES, "`v1`: by the secret. `v1a`: by the installation's public key."),
  "The signatures of each delivery: `v1`, or `v1` and `v1a`.",
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
  url: string("Scheme, host and port of the address, `/…` and its last four characters."),
  label: string("For people."),
  types: nullable(
    list(id("A type of event or alert."), "The types it gets; null for every event and no alert."),
  ),
  accountId: nullable(uuid("The account whose events it gets; null for every account.")),
  programId: nullable(
    id(
      "The program whose accounts' events it gets; null for every program. An event belongs to the program after it.",
    ),
  ),
  payload,
  signatures,
  enabled: boolean("False: nothing is sent, and nothing is lost."),
  state: word(WEBHOOK_STATES, "`parked`: a lane has stopped after its last attempt."),
  stateReason: nullable(
    word(
      WEBHOOK_REASONS,
      "`gone`: its receiver answered 410. `operator`, `owner`: who switched it off. `ladder`: a lane is parked. Null while active.",
    ),
  ),
  stateSinceMs: time(
    "Since when it is in that state: enabled, disabled, or the first lane parked.",
  ),
  parkedLanes: count("Lanes that have stopped after their last attempt."),
  overlapUntilMs: nullable(
    time("Until then the secret before the last rotation signs too; null without one."),
  ),
  createdAtMs: time("When it was made."),
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

export const NEW_WEBHOOK = object("A webhook to make.", {
  url: string("An address with https."),
  label: optional(string("For people.")),
  types: optional(
    nullable(
      list(
        string("A type of event or alert."),
        "The types it gets; null for every event and no alert.",
      ),
    ),
  ),
  accountId: optional(nullable(string("One account; null for every account."))),
  programId: optional(
    nullable(string("The accounts on a program, in any version; null for every program.")),
  ),
  from: optional(word(WEBHOOK_BEGINNINGS, "Where its lanes begin.")),
  payload: optional(payload),
  signatures: optional(signatures),
  enabled: optional(boolean("False: it sends nothing until it is enabled.")),
});
export type NewWebhookRequest = Wire<typeof NEW_WEBHOOK>;

export const MADE_WEBHOOK = object("The new webhook; no other answer has its secret.", {
  ...FIELDS,
  secret: string("`whsec_` and 32 bytes in base64, which signs the deliveries."),
});

export const CHANGE_WEBHOOK = object(
  "The fields to change; new types hold from each lane's next event.",
  {
    url: optional(string("An address with https.")),
    label: optional(string("For people.")),
    types: optional(
      nullable(list(string("A type of event or alert."), "Null for every event and no alert.")),
    ),
    payload: optional(payload),
    signatures: optional(signatures),
    enabled: optional(boolean("Whether it sends.")),
  },
);
export type ChangeWebhookRequest = Wire<typeof CHANGE_WEBHOOK>;

/** The answer of `webhooks.delete`: the id of the deleted webhook. */
export const WEBHOOK_ID = object("The webhook that was deleted, with its lanes and attempts.", {
  id: string("Its id."),
});

export const ROTATE_WEBHOOK = object("How long the old secret signs too.", {
  overlapMs: count("From 0 to seven days."),
});
export type RotateWebhookRequest = Wire<typeof ROTATE_WEBHOOK>;

/** The fields that choose one lane. Without both they choose all lanes. */
const LANE = {
  accountId: optional(string("The lane of one account.")),
  ownerId: optional(
    nullable(string("The lane of one owner's alerts; null for that of the operator's own.")),
  ),
};

export const LANE_CHOICE = object(
  "The parked lane to resume: that of `accountId`, or of `ownerId`; without both, every one.",
  LANE,
);
export type ResumeWebhookRequest = Wire<typeof LANE_CHOICE>;

export const REPLAY_WEBHOOK = object(
  "Where a lane, of `accountId` or of `ownerId`, or without both every one is set back to; exactly one of the two places.",
  {
    ...LANE,
    fromSequence: optional(
      count(
        "The number of the first event or alert that comes again; without `accountId` and `ownerId` it is 1.",
      ),
    ),
    fromMs: optional(time("The first event or alert at that time or later comes again.")),
  },
);
export type ReplayWebhookRequest = Wire<typeof REPLAY_WEBHOOK>;

export const WEBHOOK_LANE = object(
  "One webhook with the events of an account, or the alerts of an owner.",
  {
    accountId: nullable(uuid("The account; null for alerts.")),
    ownerId: nullable(id("Its owner, or whose alerts; null for the operator's alerts.")),
    state: word(LANE_STATES, "`waiting`: an event or alert is to be sent or tried again."),
    deliveredSequence: count("Everything up to this number was sent, or is of another type."),
    behind: count("Events or alerts after it."),
    attempts: count("Failed attempts of the one in front."),
    nextAttemptMs: nullable(time("When the next attempt is due; null when nothing waits.")),
    lastStatus: nullable(count("The status of the last answer; null without one.")),
  },
);

/** The list of a webhook's lanes. */
export const LANES_LIST = describeList(WEBHOOK_LANE, {
  sort: "accountId",
  ties: ["queue"],
  beginnings: ["accountId", "ownerId"],
});

const RESULT = {
  status: nullable(count("The status of the answer; null without one.")),
  latencyMs: count("How long it took."),
  answer: nullable(string("The first 512 bytes of the answer's body; null without one.")),
  error: nullable(word(DELIVERY_ERRORS, "Why no answer came; null with any status.")),
};

export const WEBHOOK_DELIVERY = object("One attempt of the last 30 days.", {
  accountId: nullable(uuid("The account of the event; null for a test and an alert.")),
  eventId: id("The event or alert, which is the `webhook-id` of every attempt."),
  atMs: time("When it began, by the service's clock."),
  attempt: count("From 1; after a resume or a replay from 1 again."),
  ...RESULT,
});

/** The list of attempts. Attempts with the same time are in the order in which they were recorded. */
export const DELIVERIES_LIST = describeList(WEBHOOK_DELIVERY, {
  sort: "-atMs",
  ties: ["recorded"],
  beginnings: ["eventId", "accountId"],
});

export const WEBHOOK_ATTEMPT = object("The result of one attempt outside the lanes.", {
  ...RESULT,
});

export const SEND_EVENT = object("An event or alert to send once more, outside the lanes.", {
  eventId: string("The id of an event or alert that the webhook gets."),
});
export type SendEventRequest = Wire<typeof SEND_EVENT>;
