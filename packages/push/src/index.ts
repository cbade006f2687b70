/**
 * # Push: events that are sent to clients and webhooks
 *
 * The journal of an account is the queue of its events, and the numbered alerts of an owner are the queue of alerts. A
 * lane of a webhook, a stream of a key, and a reader of the events of all accounts each know the last event that their
 * receiver has. Later events wait in the queue.
 *
 * ## Invariants
 * - One event of a lane is under way at a time, and the next one goes only after an answer of success.
 * - An event that waits takes no storage of its own, and no order waits for any delivery.
 * - An address is checked when it is saved and again for each connection; the connection goes to the address that was
 *   checked.
 *
 * ## Limits
 * One node delivers webhooks at a time. Every few seconds it searches for queues that commits of other nodes have
 * extended.
 *
 * Start with `webhooks/webhook-lanes.ts`, `stream/event-stream.ts`, `firehose/firehose.ts` and
 * `delivery/webhook-sender.ts`.
 */

export type { AddressRules } from "./delivery/address-rules.ts";
export { generateWebhookSecret, isWebhookSecret } from "./delivery/sign-webhook.ts";
export {
  parseWebhookAddress,
  WEBHOOK_ADDRESS_LENGTH_MAX,
  type WebhookAddress,
} from "./delivery/webhook-address.ts";
export {
  createWebhookSender,
  type DeliveryResult,
  type WebhookSender,
} from "./delivery/webhook-sender.ts";
export type {
  Firehose,
  FirehoseFilter,
  FirehoseProblem,
  FirehoseRequest,
} from "./firehose/firehose.ts";
export { openFirehose } from "./firehose/open-firehose.ts";
export type { StoredEndpoint } from "./storage/endpoint-store.ts";
export type { LaneQueue } from "./storage/lane-store.ts";
export { NO_ACCOUNT, QUEUE_VERSION, WITH_QUEUE } from "./storage/lane-store.ts";
export type { OwnedLine } from "./storage/transaction-lines.ts";
export type { WebhookStores } from "./storage/webhook-stores.ts";
export { openWebhookStores } from "./storage/webhook-stores.ts";
export { createEventStreams, type EventStreamsOptions } from "./stream/event-streams.ts";
export { createStreamSlots, type StreamSlots } from "./stream/stream-slots.ts";
export { type AttemptConsequence, judgeAttempt } from "./webhooks/attempt-consequence.ts";
export { createEndpointDesk, type EndpointDesk } from "./webhooks/endpoint-desk.ts";
export { createLaneDelivery } from "./webhooks/lane-delivery.ts";
export { createLaneDesk, type LaneDesk } from "./webhooks/lane-desk.ts";
export { webhookBody } from "./webhooks/lane-events.ts";
export { createWebhookLanes, type WebhookLanes } from "./webhooks/webhook-lanes.ts";
export type { WebhookScope } from "./webhooks/webhook-scope.ts";
export { createWebhookViews, type WebhookRefusal } from "./webhooks/webhook-view.ts";
