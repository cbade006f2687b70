import { createHash } from "node:crypto";
import type { Linked } from "@propgate/contract";
import type { Client } from "@propgate/sdk";
import { fieldsOf } from "../read-arguments.ts";
import { verifyCallback } from "./callback.ts";
import type { DeliverySender } from "./delivery-sender.ts";
import { eventError, tooManyError } from "./event-errors.ts";
import type { EventFeed } from "./event-feed.ts";
import { findStart, readStart, readWholeNumber } from "./event-start.ts";
import type { EventSelection } from "./event-types.ts";
import { deliverEvents, type Subscription } from "./webhook-delivery.ts";

/** The subscriptions of this process. They end with the process, and the service does not store them. */
export interface EventWebhooks {
  /** Begins a subscription, or renews the one with the same address, name and arguments. */
  readonly subscribe: (wanted: EventSelection, params: unknown) => Promise<object>;
  readonly unsubscribe: (wanted: EventSelection, params: unknown) => object;
  /** Ends all subscriptions. */
  readonly close: () => Promise<void>;
}

export interface WebhookOptions {
  readonly client: Client<Linked>;
  /** The id of the key whose events are delivered. It is part of the ids of subscriptions. */
  readonly keyId: string;
  readonly feed: EventFeed;
  readonly openPost: () => Promise<DeliverySender>;
  readonly onFault: (cause: unknown) => void;
}

const SUBSCRIPTIONS_MAX = 32;
const MINUTE_MS = 60_000;
const TTL = { minMs: MINUTE_MS, defaultMs: 60 * MINUTE_MS, maxMs: 24 * 60 * MINUTE_MS } as const;
/** After a change of the secret, deliveries are also signed with the old secret for this time. */
const OLD_SECRET_MS = 10 * MINUTE_MS;
const SECRET_BYTES = { min: 24, max: 64 } as const;

interface HeldSubscription extends Subscription {
  cancelExpiry: () => void;
  cancelOverlap: () => void;
}

export function createEventWebhooks(options: WebhookOptions): EventWebhooks {
  const { client, keyId, feed } = options;
  const held = new Map<string, HeldSubscription>();
  /** The addresses whose receivers have answered the challenge. */
  const verified = new Set<string>();
  let opening: Promise<DeliverySender> | null = null;
  const idOf = (url: string, { key }: EventSelection): string => {
    const digest = createHash("sha256")
      .update(JSON.stringify([keyId, url, key]))
      .digest("hex");
    return `sub_${digest.slice(0, 32)}`;
  };
  const end = (subscription: HeldSubscription): void => {
    subscription.stop.abort();
    subscription.cancelExpiry();
    subscription.cancelOverlap();
    // While a delivery of this subscription was in progress, a new subscription with the same id may have begun. The
    // new one must stay.
    if (held.get(subscription.id) === subscription) held.delete(subscription.id);
  };
  const grant = (post: DeliverySender, subscription: HeldSubscription, ttlMs: number): string => {
    subscription.cancelExpiry();
    subscription.cancelExpiry = post.callAfter(ttlMs, () => end(subscription));
    return new Date(post.now() + ttlMs).toISOString();
  };
  const refresh = (
    post: DeliverySender,
    id: string,
    { secret, ttlMs }: Delivery,
  ): object | null => {
    const subscription = held.get(id);
    if (subscription === undefined) return null;
    const { cursor, status, resume } = subscription;
    const [current] = subscription.secrets;
    if (current !== secret) replaceSecret(post, subscription, secret);
    const refreshBefore = grant(post, subscription, ttlMs);
    resume();
    return { id, refreshBefore, cursor, truncated: false, deliveryStatus: status };
  };
  const assertBelowMaximum = (): void => {
    if (held.size >= SUBSCRIPTIONS_MAX) throw tooManyError("subscriptions", SUBSCRIPTIONS_MAX);
  };
  return {
    async subscribe(wanted, params) {
      opening ??= options.openPost();
      const post = await opening;
      const delivery = readDelivery(post, params);
      const given = readStart(params);
      const { url, secret, ttlMs } = delivery;
      const id = idOf(url, wanted);
      const renewed = refresh(post, id, delivery);
      if (renewed !== null) return renewed;
      assertBelowMaximum();
      const start = await findStart(client, wanted, given);
      if (!verified.has(url)) await verifyCallback(post, { id, url, secrets: [secret] });
      verified.add(url);
      // During the waits above, another call may have begun the same subscription or other ones.
      const same = refresh(post, id, delivery);
      if (same !== null) return same;
      assertBelowMaximum();
      const { cursor, truncated } = start;
      const subscription = newSubscription({ id, url, secrets: [secret], wanted, cursor });
      held.set(id, subscription);
      const refreshBefore = grant(post, subscription, ttlMs);
      deliverEvents({ feed, post }, subscription, start).then((ending) => {
        if (ending === "gone") verified.delete(url);
        end(subscription);
      }, options.onFault);
      return { id, refreshBefore, cursor, truncated };
    },
    unsubscribe(wanted, params) {
      const { url } = fieldsOf(fieldsOf(params).delivery);
      if (typeof url !== "string") {
        throw eventError("InvalidParams", "'delivery.url' must be a string");
      }
      const subscription = held.get(idOf(URL.parse(url)?.href ?? url, wanted));
      if (subscription === undefined) {
        const text = "there is no subscription with this address, name and arguments";
        throw eventError("NotFound", text, { reason: text, kind: "subscription" });
      }
      end(subscription);
      return {};
    },
    async close() {
      for (const subscription of held.values()) end(subscription);
      await (await opening)?.close();
    },
  };
}

function newSubscription(
  fields: Pick<Subscription, "id" | "url" | "secrets" | "wanted" | "cursor">,
): HeldSubscription {
  const none = (): void => {};
  const status = { active: true, lastDeliveryAt: null, lastError: null };
  const stop = new AbortController();
  return { ...fields, status, stop, resume: none, cancelExpiry: none, cancelOverlap: none };
}

/** Replaces the secret. For `OLD_SECRET_MS` deliveries are signed with both secrets, the new one first. */
function replaceSecret(post: DeliverySender, subscription: HeldSubscription, secret: string): void {
  subscription.cancelOverlap();
  subscription.secrets = [secret, ...subscription.secrets.slice(0, 1)];
  subscription.cancelOverlap = post.callAfter(OLD_SECRET_MS, () => {
    subscription.secrets = [secret];
  });
}

/** `delivery` of a request after its checks, and how long the subscription is granted. */
interface Delivery {
  readonly url: string;
  readonly secret: string;
  readonly ttlMs: number;
}

function readDelivery(post: DeliverySender, params: unknown): Delivery {
  const { delivery, ttlMs } = fieldsOf(params);
  const { mode = "webhook", url, secret } = fieldsOf(delivery);
  if (mode !== "webhook") {
    const text = "'delivery.mode' must be webhook: poll and push need no subscription";
    const unsupported = { reason: text, feature: "deliveryMode", value: mode };
    throw eventError("Unsupported", text, unsupported);
  }
  if (typeof url !== "string") throw eventError("InvalidParams", "'delivery.url' must be a string");
  const judged = post.judgeAddress(url);
  if (!judged.ok) throw eventError("InvalidParams", `'delivery.url' ${judged.message}`);
  if (typeof secret !== "string" || !isLongSecret(post, secret)) {
    const { min, max } = SECRET_BYTES;
    const text = `'delivery.secret' must be whsec_ and the base64 of ${min} to ${max} bytes`;
    throw eventError("InvalidParams", text);
  }
  const wantedMs =
    ttlMs === undefined ? TTL.defaultMs : (readWholeNumber(params, "ttlMs", 1) ?? TTL.maxMs);
  const granted = Math.min(Math.max(wantedMs, TTL.minMs), TTL.maxMs);
  return { url: judged.url.href, secret, ttlMs: granted };
}

function isLongSecret(post: DeliverySender, secret: string): boolean {
  const { length } = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return post.isSecret(secret) && length >= SECRET_BYTES.min && length <= SECRET_BYTES.max;
}
