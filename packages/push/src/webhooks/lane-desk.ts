import type { SecretBox } from "@propgate/access";
import type { Chance, Clock } from "@propgate/base";
import type { Webhook } from "@propgate/contract";
import { type AccountId, accountId, type Instruments, unixMs } from "@propgate/core";
import {
  type AccountLane,
  type Attempt,
  byText,
  type DeliveryPlace,
  firstOf,
  type PerShard,
  type ReplayFrom,
  type StoredEndpoint,
  shardOf,
} from "@propgate/ledger";
import type { DeliveryResult } from "../delivery/webhook-sender.ts";
import { type LaneDeliveryOptions, sendTo, typesOf } from "./lane-delivery.ts";
import { oneEvent } from "./lane-events.ts";
import type { Sendable } from "./sentence-body.ts";
import type { LaneDatabase, WebhookLanes } from "./webhook-lanes.ts";
import type { WebhookRefusal, WebhookViews } from "./webhook-view.ts";

export interface PageRequest<Place> {
  readonly after: Place | null;
  readonly limit: number;
}

export interface ShownPage<Item, Place> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly next: Place | null;
}

/** How far webhooks have got, and what moves them. */
export interface LaneDesk {
  /** Sends a `webhook.test`, which is in no lane. */
  test(id: string): Promise<DeliveryResult | WebhookRefusal>;
  /** Sends an event once more, outside the lanes. */
  send(id: string, eventId: string): Promise<DeliveryResult | WebhookRefusal>;
  /** Begins the ladder of parked lanes anew. */
  resume(id: string, account: AccountId | null): Promise<Webhook | WebhookRefusal>;
  replay(
    id: string,
    replay: { readonly accountId: AccountId | null; readonly from: ReplayFrom },
  ): Promise<Webhook | WebhookRefusal>;
  /** The lanes of a webhook, by account. */
  lanes(
    id: string,
    page: PageRequest<AccountId>,
  ): Promise<ShownPage<AccountLane, AccountId> | WebhookRefusal>;
  /** The attempts of the last 30 days, newest first. */
  deliveries(
    id: string,
    page: PageRequest<DeliveryPlace>,
  ): Promise<ShownPage<Attempt, DeliveryPlace> | WebhookRefusal>;
  /** Deletes the attempts of before the last 30 days. */
  forgetOld(): Promise<void>;
}

export interface LaneDeskOptions {
  readonly databases: PerShard<LaneDatabase>;
  readonly views: WebhookViews;
  readonly delivery: Pick<WebhookLanes, "refresh">;
  readonly senderOf: LaneDeliveryOptions["senderOf"];
  readonly instruments: Instruments;
  readonly box: SecretBox;
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
  text: "This webhook has no lane for that account",
};

export function createLaneDesk(options: LaneDeskOptions): LaneDesk {
  const { databases, views, delivery, clock } = options;
  const partsOf = (account: AccountId | null): readonly LaneDatabase[] =>
    account === null ? databases : [shardOf(databases, account)];
  return {
    test: (id) => views.on(id, (endpoint) => attempt(options, endpoint, testEvent(options))),
    send: (id, eventId) =>
      views.on(id, async (endpoint) => {
        const found = await eventOf(databases, endpoint, eventId);
        return found === null ? NO_EVENT : attempt(options, endpoint, found);
      }),
    resume: (id, account) =>
      views.on(id, async (endpoint) => {
        for (const { lanes } of partsOf(account)) await lanes.resume(id, account);
        await delivery.refresh();
        return views.of(endpoint);
      }),
    replay: (id, { accountId: account, from }) =>
      views.on(id, async (endpoint) => {
        const refusal = account === null ? null : await beyond(databases, { id, account, from });
        if (refusal !== null) return refusal;
        for (const { lanes } of partsOf(account)) await lanes.replay(id, account, from);
        await delivery.refresh();
        return views.of(endpoint);
      }),
    lanes: (id, page) =>
      views.on(id, async () => {
        const more = { ...page, limit: page.limit + 1 };
        const found = await Promise.all(databases.map(({ lanes }) => lanes.list(id, more)));
        return pageOf(found, {
          order: (one, other) => byText(one.accountId, other.accountId),
          limit: page.limit,
          placeOf: ({ accountId: account }) => account,
        });
      }),
    deliveries: (id, page) =>
      views.on(id, async () => {
        const found = await Promise.all(
          databases.map(async ({ attempts }, database) => {
            const request = { after: page.after, database, limit: page.limit + 1 };
            const read = await attempts.list(id, request);
            return read.map(({ number, ...one }) => ({
              one,
              at: { atMs: one.atMs, database, number },
            }));
          }),
        );
        const { limit } = page;
        const { items, next } = pageOf(found, {
          order: newestFirst,
          limit,
          placeOf: ({ at }) => at,
        });
        return { items: items.map(({ one }) => one), next };
      }),
    async forgetOld() {
      const before = unixMs(Math.max(0, clock.now() - KEPT_DAYS * DAY_MS));
      for (const { attempts } of databases) await attempts.forget(before);
    },
  };
}

/** Why a lane cannot be set back to that place; null when it can. */
async function beyond(
  databases: PerShard<LaneDatabase>,
  at: { readonly id: string; readonly account: AccountId; readonly from: ReplayFrom },
): Promise<WebhookRefusal | null> {
  const { id, account, from } = at;
  const { lanes } = shardOf(databases, account);
  const lane = await lanes.lane({ endpointId: id, accountId: account });
  if (lane === null) return NO_LANE;
  if ("atMs" in from || from.sequence <= lane.version) return null;
  const text = `fromSequence: is beyond the account's newest event, ${lane.version}`;
  return { refused: "invalid", text };
}

interface SentOnce extends Sendable {
  /** Null for a test. */
  readonly accountId: AccountId | null;
}

/** One attempt outside the lanes, which is listed among the deliveries. */
async function attempt(
  options: LaneDeskOptions,
  endpoint: StoredEndpoint,
  sent: SentOnce,
): Promise<DeliveryResult> {
  const { databases, clock } = options;
  const { accountId: account, event } = sent;
  const atMs = clock.now();
  const result = await sendTo(options, endpoint, sent);
  const { retryAfterMs: _, ...seen } = result;
  const part = account === null ? databases[0] : shardOf(databases, account);
  const of = { endpointId: endpoint.id, accountId: account, eventId: event.id };
  await part.attempts.record({ ...of, atMs, attempt: 1, ...seen });
  return result;
}

function testEvent({ chance, clock }: LaneDeskOptions): SentOnce {
  const id = `evt_test_${Buffer.from(chance.bytes(ID_BYTES)).toString("hex")}`;
  const type = "webhook.test";
  const atMs = clock.now();
  const timestamp = new Date(atMs).toISOString();
  const data = { id, type, sequence: null, atMs, accountId: null, previous: null, data: {} };
  const body = JSON.stringify({ type, timestamp, data });
  return { event: { id }, body, sentence: () => TEST_SENTENCE, account: null, accountId: null };
}

const TEST_SENTENCE = "This is a test of a webhook.";

const EVENT_ID =
  /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_([1-9]\d{0,14})$/;

/** The event of that id; null when the endpoint does not get it. */
async function eventOf(
  databases: PerShard<LaneDatabase>,
  endpoint: StoredEndpoint,
  eventId: string,
): Promise<SentOnce | null> {
  const [, ...parts] = EVENT_ID.exec(eventId) ?? [];
  const sequence = Number(parts.at(-1));
  if (parts.length === 0) return null;
  const account = accountId(parts.slice(0, -1).join("-"));
  const { lanes, lines } = shardOf(databases, account);
  const lane = await lanes.lane({ endpointId: endpoint.id, accountId: account });
  if (lane === null) return null;
  const found = await oneEvent(lines, { lane, sequence }, typesOf(endpoint));
  return found === null ? null : { ...found, accountId: account };
}

/** One page of several lists that are each in this order and one item longer than the page when there are more. */
function pageOf<Item, Place>(
  lists: readonly (readonly Item[])[],
  page: {
    readonly order: (one: Item, other: Item) => number;
    readonly limit: number;
    readonly placeOf: (item: Item) => Place;
  },
): ShownPage<Item, Place> {
  const { order, limit, placeOf } = page;
  const found = firstOf(lists, order, limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? placeOf(last) : null };
}

interface Placed {
  readonly at: DeliveryPlace;
}

function newestFirst({ at: one }: Placed, { at: other }: Placed): number {
  return other.atMs - one.atMs || one.database - other.database || other.number - one.number;
}
