import type { EvidenceKeys, SecretBox } from "@propgate/access";
import type { Chance, Clock } from "@propgate/base";
import type { Webhook } from "@propgate/contract";
import { type AccountId, accountId, type Instruments, unixMs } from "@propgate/core";
import { type PerShard, shardOf } from "@propgate/ledger";
import type { DeliveryResult } from "../delivery/webhook-sender.ts";
import type { EndpointStore, StoredEndpoint } from "../storage/endpoint-store.ts";
import type { Lane, LaneQueue, ReplayFrom } from "../storage/lane-store.ts";
import type { LaneDatabase } from "../storage/webhook-stores.ts";
import { findAlert } from "./lane-alerts.ts";
import { type LaneDeliveryOptions, sendTo } from "./lane-delivery.ts";
import { findEvent, laneFilter } from "./lane-events.ts";
import type { Sendable } from "./sentence-body.ts";
import type { WebhookLanes } from "./webhook-lanes.ts";
import { fieldRefusal, type WebhookRefusal, type WebhookViews } from "./webhook-view.ts";

/**
 * Sends single events to webhooks, and resumes lanes of webhooks or sets them back, for an operator or an owner. Each
 * of these calls is refused when the webhook is not in the scope of the desk.
 */
export interface LaneDesk {
  /** Sends a `webhook.test`, which belongs to no lane. */
  sendTest(id: string): Promise<DeliveryResult | WebhookRefusal>;
  /** Sends one event or alert again, outside the lanes. Refused when the webhook does not get it. */
  sendAgain(id: string, eventId: string): Promise<DeliveryResult | WebhookRefusal>;
  /**
   * Resumes the parked lane of one queue, or all parked lanes of the webhook when `queue` is null: an attempt is due
   * immediately, and the retry schedule starts again.
   */
  resume(id: string, queue: LaneQueue | null): Promise<Webhook | WebhookRefusal>;
  /**
   * Sets the lane of one queue, or all lanes of the webhook when the queue is null, back to an event or alert. For a
   * single lane, a number beyond its newest event or alert is refused.
   */
  replay(
    id: string,
    replay: { readonly queue: LaneQueue | null; readonly from: ReplayFrom },
  ): Promise<Webhook | WebhookRefusal>;
  /** Deletes the attempts that are older than 30 days. */
  deleteOldAttempts(): Promise<void>;
}

export interface LaneDeskOptions {
  readonly endpoints: Pick<EndpointStore, "raiseRevision">;
  readonly databases: PerShard<LaneDatabase>;
  readonly views: WebhookViews;
  readonly delivery: Pick<WebhookLanes, "refresh">;
  readonly senderOf: LaneDeliveryOptions["senderOf"];
  readonly instruments: Instruments;
  readonly box: SecretBox;
  readonly evidence: Pick<EvidenceKeys, "sign">;
  readonly chance: Chance;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;
const ID_BYTES = 16;

const NO_EVENT: WebhookRefusal = {
  refused: "missing",
  text: "Event not found, or this webhook does not get it",
};
const NO_LANE: WebhookRefusal = {
  refused: "missing",
  text: "This webhook has no lane for that account or owner",
};

export function createLaneDesk(options: LaneDeskOptions): LaneDesk {
  const { endpoints, databases, views, delivery, clock } = options;
  /** The databases that may have lanes of the queue. The alerts of an owner may be in any database. */
  const partsOf = (queue: LaneQueue | null): readonly LaneDatabase[] => {
    const account = queue?.accountId ?? null;
    return account === null ? databases : [shardOf(databases, account)];
  };
  return {
    sendTest: (id) =>
      views.withEndpoint(id, (endpoint) => sendOnce(options, endpoint, testEvent(options))),
    sendAgain: (id, eventId) =>
      views.withEndpoint(id, async (endpoint) => {
        const found = await eventOf(databases, endpoint, eventId);
        return found === null ? NO_EVENT : sendOnce(options, endpoint, found);
      }),
    resume: (id, queue) =>
      views.withEndpoint(id, async (endpoint) => {
        for (const { lanes } of partsOf(queue)) await lanes.resume(id, queue);
        await endpoints.raiseRevision(id);
        await delivery.refresh();
        return views.viewOf(endpoint);
      }),
    replay: (id, { queue, from }) =>
      views.withEndpoint(id, async (endpoint) => {
        const refusal = queue === null ? null : await beyondRefusal(databases, { id, queue, from });
        if (refusal !== null) return refusal;
        for (const { lanes } of partsOf(queue)) await lanes.replay(id, queue, from);
        await endpoints.raiseRevision(id);
        await delivery.refresh();
        return views.viewOf(endpoint);
      }),
    async deleteOldAttempts() {
      const before = unixMs(Math.max(0, clock.now() - KEPT_DAYS * DAY_MS));
      for (const { attempts } of databases) await attempts.deleteBefore(before);
    },
  };
}

/** Why the lane of a queue cannot be set back to `from`; null when it can. */
async function beyondRefusal(
  databases: PerShard<LaneDatabase>,
  at: { readonly id: string; readonly queue: LaneQueue; readonly from: ReplayFrom },
): Promise<WebhookRefusal | null> {
  const { id, queue, from } = at;
  const lane = await laneOf(databases, id, queue);
  if (lane === null) return NO_LANE;
  if ("atMs" in from || from.sequence <= lane.version) return null;
  const newest = queue.accountId === null ? "newest alert" : "account's newest event";
  return fieldRefusal("fromSequence", `is beyond the ${newest}, ${lane.version}`);
}

async function laneOf(
  databases: PerShard<LaneDatabase>,
  id: string,
  queue: LaneQueue,
): Promise<Lane | null> {
  if (queue.accountId !== null) {
    return shardOf(databases, queue.accountId).lanes.findByAccount(id, queue.accountId);
  }
  for (const { lanes } of databases) {
    const lane = await lanes.findByAlertOwner(id, queue.ownerId);
    if (lane !== null) return lane;
  }
  return null;
}

/** An event, alert or test to send once, outside the lanes. */
interface SingleDelivery extends Sendable {
  /** The account of an event; null for an alert and for a test. */
  readonly accountId: AccountId | null;
  /** The database that stores the attempt. */
  readonly part: LaneDatabase;
}

/**
 * Sends one event, alert or test outside the lanes, and stores the attempt, so that the list of deliveries shows it.
 */
async function sendOnce(
  options: LaneDeskOptions,
  endpoint: StoredEndpoint,
  sent: SingleDelivery,
): Promise<DeliveryResult> {
  const { clock } = options;
  const { accountId: account, event, part } = sent;
  const atMs = clock.now();
  const result = await sendTo(options, endpoint, sent);
  const { retryAfterMs: _, ...seen } = result;
  const of = { endpointId: endpoint.id, accountId: account, eventId: event.id };
  await part.attempts.record({ ...of, atMs, attempt: 1, ...seen });
  return result;
}

function testEvent({ chance, clock, databases }: LaneDeskOptions): SingleDelivery {
  const id = `evt_test_${Buffer.from(chance.bytes(ID_BYTES)).toString("hex")}`;
  const type = "webhook.test";
  const atMs = clock.now();
  const timestamp = new Date(atMs).toISOString();
  const data = { id, type, sequence: null, atMs, accountId: null, previous: null, data: {} };
  const body = JSON.stringify({ type, timestamp, data });
  const of = { account: null, accountId: null, part: databases[0] };
  return { event: { id }, body, sentence: () => TEST_SENTENCE, ...of };
}

const TEST_SENTENCE = "This is a test of a webhook.";

const EVENT_ID =
  /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_([1-9]\d{0,14})$/;

const ALERT_ID = /^alt_[0-9a-f]{32}$/;

/** The event or alert with this id; null when there is none, or the endpoint does not get it. */
async function eventOf(
  databases: PerShard<LaneDatabase>,
  endpoint: StoredEndpoint,
  eventId: string,
): Promise<SingleDelivery | null> {
  if (ALERT_ID.test(eventId)) return alertOf(databases, endpoint, eventId);
  const [, ...parts] = EVENT_ID.exec(eventId) ?? [];
  const sequence = Number(parts.at(-1));
  if (parts.length === 0) return null;
  const account = accountId(parts.slice(0, -1).join("-"));
  const part = shardOf(databases, account);
  const { lanes, lines } = part;
  const lane = await lanes.findByAccount(endpoint.id, account);
  if (lane === null) return null;
  const found = await findEvent(lines, { lane, sequence }, laneFilter(endpoint));
  return found === null ? null : { ...found, accountId: account, part };
}

async function alertOf(
  databases: PerShard<LaneDatabase>,
  endpoint: StoredEndpoint,
  alertId: string,
): Promise<SingleDelivery | null> {
  for (const part of databases) {
    const found = await findAlert(part, alertId, endpoint);
    if (found !== null) return { ...found, accountId: null, part };
  }
  return null;
}
