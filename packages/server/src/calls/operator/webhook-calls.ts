import {
  type AnsweringCall,
  type ChangeWebhookRequest,
  isWebhookType,
  type NewWebhookRequest,
  type OperatorAnswer,
  type ReplayWebhookRequest,
  type ResumeWebhookRequest,
  type RotateWebhookRequest,
  type SendEventRequest,
  WEBHOOK_BEGINNINGS,
  WEBHOOK_PAYLOADS,
  WEBHOOK_SIGNATURES,
  WEBHOOKS_LIST,
} from "@propgate/contract";
import { type AccountId, accountId, ownerId, unixMs } from "@propgate/core";
import {
  type DeliveryResult,
  type LaneQueue,
  WEBHOOK_ADDRESS_LENGTH_MAX,
  type WebhookRefusal,
} from "@propgate/push";
import { z } from "zod";
import { inMemorySource } from "../../storage/lists/in-memory-source.ts";
import { deliveryRows, laneRows } from "../../storage/lists/webhooks-lists.ts";
import {
  type BodyFields,
  fieldErrorTexts,
  firmIdSchema,
  momentMsSchema,
  oneOfSchema,
  parseBody,
  problemReply,
  shortTextSchema,
  uuidSchema,
  visibleLabelSchema,
} from "../json/json-fields.ts";
import {
  type AuditDetails,
  type JsonCall,
  type JsonReply,
  okReply,
  type RefusedReply,
  refusedReply,
} from "../json/json-reply.ts";
import { answerList, type ListOptions } from "./lists/list-call.ts";

import { parseEmptyBody } from "./operator-requests.ts";
import type { WebhookDesk } from "./operator-services.ts";

const ID_MAX = 100;
const PROGRAM_MAX = 100;
const OVERLAP_MAX_MS = 7 * 86_400_000;
const OVERLAP = "must be whole milliseconds from 0 to 604800000, which is seven days";
const SEQUENCE = "must be a whole number from 1";
const SWITCH = fieldErrorTexts("must be true or false");

const url = shortTextSchema(WEBHOOK_ADDRESS_LENGTH_MAX);
/** The parser of the label of a webhook; the label is empty for a webhook without one. @rule D13.visibleNames */
const label = z.string(fieldErrorTexts("must be a string")).superRefine((text, context) => {
  const [issue] = text === "" ? [] : (visibleLabelSchema.safeParse(text).error?.issues ?? []);
  if (issue !== undefined) context.addIssue({ code: "custom", message: issue.message });
});
const types = z
  .array(
    z.string(fieldErrorTexts("must be a type of event or alert")),
    fieldErrorTexts("must be a list of types of events and alerts, or null"),
  )
  .min(1, "must name a type; null is every event and no alert")
  .transform((names, context) => {
    const unknown = names.find((name) => !isWebhookType(name));
    if (unknown === undefined) return [...new Set(names.filter(isWebhookType))];
    const message = `names ${JSON.stringify(unknown)}, which is not a type of event or alert`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .nullable();
const signatures = z
  .array(oneOfSchema(WEBHOOK_SIGNATURES), fieldErrorTexts("must be a list of schemes"))
  .refine(([first, second, ...more]) => first === "v1" && second !== "v1" && more.length === 0, {
    error: 'must be ["v1"] or ["v1","v1a"]',
  });
const account = uuidSchema.transform((text) => accountId(text.toLowerCase()));

const NEW = z.strictObject({
  url,
  label: label.default(""),
  types: types.default(null),
  accountId: account.nullable().default(null),
  programId: shortTextSchema(PROGRAM_MAX).nullable().default(null),
  from: oneOfSchema(WEBHOOK_BEGINNINGS).default("head"),
  payload: oneOfSchema(WEBHOOK_PAYLOADS).default("event"),
  signatures: signatures.default(["v1"]),
  enabled: z.boolean(SWITCH).default(true),
} satisfies BodyFields<NewWebhookRequest>);

const CHANGE = z.strictObject({
  url: url.optional(),
  label: label.optional(),
  types: types.optional(),
  payload: oneOfSchema(WEBHOOK_PAYLOADS).optional(),
  signatures: signatures.optional(),
  enabled: z.boolean(SWITCH).optional(),
} satisfies BodyFields<ChangeWebhookRequest>);

const ROTATION = z.strictObject({
  overlapMs: z.int(fieldErrorTexts(OVERLAP)).min(0, OVERLAP).max(OVERLAP_MAX_MS, OVERLAP),
} satisfies BodyFields<RotateWebhookRequest>);

const LANE = { accountId: account.optional(), ownerId: firmIdSchema.nullable().optional() };
const ONE_LANE = "give accountId or ownerId, not both";

const RESUME = z
  .strictObject(LANE satisfies BodyFields<ResumeWebhookRequest>)
  .refine((given) => given.accountId === undefined || given.ownerId === undefined, {
    path: ["ownerId"],
    error: ONE_LANE,
  });

const REPLAY = z
  .strictObject({
    ...LANE,
    fromSequence: z.int(fieldErrorTexts(SEQUENCE)).min(1, SEQUENCE).optional(),
    fromMs: momentMsSchema.optional(),
  } satisfies BodyFields<ReplayWebhookRequest>)
  .superRefine(({ fromSequence, fromMs, ...lane }, context) => {
    const say = (field: string, message: string): void => {
      context.addIssue({ code: "custom", path: [field], message });
    };
    if ((fromSequence === undefined) === (fromMs === undefined)) {
      say("fromSequence", "give exactly one of fromSequence and fromMs");
    } else if (lane.accountId !== undefined && lane.ownerId !== undefined) {
      say("ownerId", ONE_LANE);
    } else if (queueOf(lane) === null && (fromSequence ?? 1) !== 1) {
      say("fromSequence", "must be 1 without accountId and ownerId");
    }
  });

interface LaneChoice {
  readonly accountId?: AccountId | undefined;
  readonly ownerId?: string | null | undefined;
}

/** The queue of events or alerts that the body chooses; null for all queues of the webhook. */
function queueOf({ accountId: one, ownerId: owner }: LaneChoice): LaneQueue | null {
  if (one !== undefined) return { accountId: one };
  if (owner === undefined) return null;
  return { accountId: null, ownerId: owner === null ? null : ownerId(owner) };
}

function queueText(queue: LaneQueue | null): string {
  if (queue === null) return "every lane";
  return queue.accountId ?? `alerts of ${queue.ownerId ?? "the operator"}`;
}

const SEND = z.strictObject({
  eventId: shortTextSchema(ID_MAX),
} satisfies BodyFields<SendEventRequest>);

/** The handler of a call on webhooks: on the operator's, or on those of one account's owner. */
type WebhookHandler<Name extends AnsweringCall> = (
  options: ListOptions & { readonly services: { readonly webhooks: WebhookDesk } },
  call: JsonCall,
) => Promise<JsonReply<OperatorAnswer<Name>>>;

const listWebhooks: WebhookHandler<"webhooks.list"> = async (options, call) => {
  const all = await options.services.webhooks.list();
  return answerList(options, call, "webhooks.list", inMemorySource(WEBHOOKS_LIST, all));
};

const showWebhook: WebhookHandler<"webhooks.get"> = async ({ services }, { parameters }) =>
  webhookReply(await services.webhooks.show(idOf(parameters)));

/** Makes a webhook. Only the answer to this call and the answer to a rotation of the secret contain the secret. */
const makeWebhook: WebhookHandler<"webhooks.create"> = async ({ services }, { body, act }) => {
  const given = parseBody(NEW, body, (webhook) => webhook);
  if (!given.ok) return problemReply(given);
  const made = await services.webhooks.createWebhook(given.value, act);
  if ("refused" in made) return webhookRefusalReply(made);
  const { accountId: one } = given.value;
  const about = { subject: made.id, detail: made.url, ...(one === null ? {} : { accountId: one }) };
  return okReply(made, about);
};

const changeWebhook: WebhookHandler<"webhooks.update"> = async (
  { services },
  { parameters, body },
) => {
  const given = parseBody(CHANGE, body, (change) => change);
  if (!given.ok) return problemReply(given);
  const changed = await services.webhooks.change(idOf(parameters), given.value);
  const url = "refused" in changed ? null : changed.url;
  return webhookReply(changed, { subject: idOf(parameters), detail: changeText(given.value, url) });
};

/**
 * Describes a change for the audit by its new values. It does not show a refused address, nor the part of an address
 * that may be a secret. The longest values come last, because the audit truncates them.
 */
function changeText(change: z.infer<typeof CHANGE>, shownUrl: string | null): string {
  const { enabled, payload, signatures, url, label: named, types: wanted } = change;
  const parts: readonly (readonly [string, string | undefined])[] = [
    ["enabled", enabled === undefined ? undefined : String(enabled)],
    ["payload", payload],
    ["signatures", signatures?.join(" ")],
    ["label", named === undefined ? undefined : JSON.stringify(named)],
    ["url", url === undefined ? undefined : (shownUrl ?? "not shown")],
    ["types", wanted === null ? "every event" : wanted?.join(" ")],
  ];
  return parts
    .flatMap(([field, value]) => (value === undefined ? [] : [`${field}: ${value}`]))
    .join(", ");
}

const deleteWebhook: WebhookHandler<"webhooks.delete"> = async (
  { services },
  { parameters, body, act },
) => {
  const nothing = parseEmptyBody(body);
  if (!nothing.ok) return problemReply(nothing);
  const about = { subject: idOf(parameters) };
  const id = idOf(parameters);
  const removed = await services.webhooks.remove(id);
  const isDone = "refused" in removed && removed.refused === "missing" && act?.isRepeat === true;
  return webhookReply(isDone ? { id } : removed, about);
};

const rotateWebhook: WebhookHandler<"webhooks.rotate"> = async (
  { services },
  { parameters, body, act },
) => {
  const given = parseBody(ROTATION, body, ({ overlapMs }) => overlapMs);
  if (!given.ok) return problemReply(given);
  const about = { subject: idOf(parameters), detail: `overlap ${given.value} ms` };
  return webhookReply(await services.webhooks.rotate(idOf(parameters), given.value, act), about);
};

const testWebhook: WebhookHandler<"webhooks.test"> = async ({ services }, { parameters, body }) => {
  const nothing = parseEmptyBody(body);
  if (!nothing.ok) return problemReply(nothing);
  return attemptReply(await services.webhooks.sendTest(idOf(parameters)), {
    subject: idOf(parameters),
  });
};

const sendEvent: WebhookHandler<"webhooks.send"> = async ({ services }, { parameters, body }) => {
  const given = parseBody(SEND, body, ({ eventId }) => eventId);
  if (!given.ok) return problemReply(given);
  const about = { subject: idOf(parameters), detail: given.value };
  return attemptReply(await services.webhooks.sendAgain(idOf(parameters), given.value), about);
};

const resumeWebhook: WebhookHandler<"webhooks.resume"> = async (
  { services },
  { parameters, body },
) => {
  const given = parseBody(RESUME, body, queueOf);
  if (!given.ok) return problemReply(given);
  const about = { subject: idOf(parameters), detail: queueText(given.value) };
  return webhookReply(await services.webhooks.resume(idOf(parameters), given.value), about);
};

const replayWebhook: WebhookHandler<"webhooks.replay"> = async (
  { services },
  { parameters, body },
) => {
  const given = parseBody(REPLAY, body, ({ fromSequence, fromMs, ...lane }) => ({
    queue: queueOf(lane),
    from: fromMs === undefined ? { sequence: fromSequence ?? 1 } : { atMs: unixMs(fromMs) },
  }));
  if (!given.ok) return problemReply(given);
  const { queue, from } = given.value;
  const place = "atMs" in from ? new Date(from.atMs).toISOString() : `number ${from.sequence}`;
  const about = { subject: idOf(parameters), detail: `${queueText(queue)} from ${place}` };
  return webhookReply(await services.webhooks.replay(idOf(parameters), given.value), about);
};

const listLanes: WebhookHandler<"webhooks.lanes"> = async (options, call) => {
  const id = idOf(call.parameters);
  const known = await options.services.webhooks.show(id);
  if ("refused" in known) return webhookRefusalReply(known);
  return answerList(options, call, "webhooks.lanes", laneRows(id));
};

const listDeliveries: WebhookHandler<"webhooks.deliveries"> = async (options, call) => {
  const id = idOf(call.parameters);
  const known = await options.services.webhooks.show(id);
  if ("refused" in known) return webhookRefusalReply(known);
  return answerList(options, call, "webhooks.deliveries", deliveryRows(id));
};

/** The handlers of all calls on webhooks. The desk that a handler gets decides whose webhooks they are. */
export const WEBHOOK_HANDLERS: {
  readonly [Name in Extract<AnsweringCall, `webhooks.${string}`>]: WebhookHandler<Name>;
} = {
  "webhooks.list": listWebhooks,
  "webhooks.create": makeWebhook,
  "webhooks.get": showWebhook,
  "webhooks.update": changeWebhook,
  "webhooks.delete": deleteWebhook,
  "webhooks.test": testWebhook,
  "webhooks.rotate": rotateWebhook,
  "webhooks.resume": resumeWebhook,
  "webhooks.replay": replayWebhook,
  "webhooks.lanes": listLanes,
  "webhooks.deliveries": listDeliveries,
  "webhooks.send": sendEvent,
};

const ID = /^wh_[0-9a-f]{32}$/;

/**
 * The webhook's id in the path. Any other text becomes an empty one, which is no webhook's id, because some texts, such
 * as NUL, cannot be sent to the database.
 */
function idOf({ id = "" }: Readonly<Record<string, string>>): string {
  return ID.test(id) ? id : "";
}

const STATUSES = { missing: 404, invalid: 400, conflict: 409 } as const;

function webhookRefusalReply({ refused: why, text, field, code }: WebhookRefusal): RefusedReply {
  return { ...refusedReply(text, STATUSES[why], field), ...(code === undefined ? {} : { code }) };
}

function webhookReply<Data extends object>(result: Data | WebhookRefusal, about?: AuditDetails) {
  if (!("refused" in result)) return okReply<Data>(result, about);
  return { ...webhookRefusalReply(result), ...(about === undefined ? {} : { about }) };
}

function attemptReply(result: DeliveryResult | WebhookRefusal, about: AuditDetails) {
  if ("refused" in result) return { ...webhookRefusalReply(result), about };
  const { status, latencyMs, answer, error } = result;
  return okReply({ status, latencyMs, answer, error }, about);
}
