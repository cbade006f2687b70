import type { AccountEvent, Linked } from "@propgate/contract";
import { type Callback, failureReason, sendCallbackMessage, sendToCallback } from "./callback.ts";
import type { DeliverySender } from "./delivery-sender.ts";
import { errorBody, serviceError } from "./event-errors.ts";
import type { EventFeed } from "./event-feed.ts";
import type { EventStart } from "./event-start.ts";
import { type EventSelection, eventOccurrence } from "./event-types.ts";

/** `deliveryStatus` of the answer that renews a subscription. */
export interface DeliveryStatus {
  /** False after the last attempt of an event has failed, until the subscription is renewed. */
  readonly active: boolean;
  readonly lastDeliveryAt: string | null;
  readonly lastError: string | null;
  readonly failedSince?: string;
}

/** A subscription that has not ended. */
export interface Subscription extends Callback {
  readonly wanted: EventSelection;
  secrets: readonly string[];
  /** The cursor of the last event that the receiver has accepted, or that the selection left out. */
  cursor: string;
  status: DeliveryStatus;
  readonly stop: AbortController;
  /** Continues a suspended delivery. */
  resume: () => void;
}

/**
 * The maximum number of attempts for one event, which take about half an hour. After the last one, delivery is
 * suspended.
 */
const ATTEMPTS_MAX = 4;
const TOO_LARGE = 413;

/** `gone`: the receiver has answered that it is gone. `over`: every other end of a subscription. */
export type SubscriptionEnd = "over" | "gone";

/**
 * Delivers the events one after the other, each until the receiver accepts it, so that they arrive in the account's
 * order. Resolves when the subscription is over: it was stopped, the receiver has answered that it is gone, or the
 * account's events have ended or could not be read. In the last case the receiver gets a `terminated` message first.
 */
export async function deliverEvents(
  { feed, post }: { readonly feed: EventFeed; readonly post: DeliverySender },
  subscription: Subscription,
  start: EventStart,
): Promise<SubscriptionEnd> {
  const { wanted, stop } = subscription;
  try {
    for await (const { event, cursor } of feed.follow(start, wanted, stop.signal)) {
      const taken = event === null || (await deliverEvent(post, subscription, { event, cursor }));
      if (stop.signal.aborted) return "over";
      if (!taken) return "gone";
      subscription.cursor = cursor;
    }
  } catch (error) {
    const ended = errorBody(serviceError(error));
    await sendCallbackMessage(post, subscription, { type: "terminated", error: ended });
  }
  return "over";
}

/** Delivers one event. False when the receiver has answered that it is gone. */
async function deliverEvent(
  post: DeliverySender,
  subscription: Subscription,
  { event, cursor }: { readonly event: AccountEvent<Linked>; readonly cursor: string },
): Promise<boolean> {
  const body = { ...eventOccurrence(event), cursor };
  const { signal } = subscription.stop;
  for (let attempts = 1; !signal.aborted; attempts += 1) {
    const result = await sendToCallback(post, subscription, { id: event.id, body });
    const at = new Date(post.now()).toISOString();
    const next = post.afterAttempt(result, attempts);
    if (next.is === "taken") {
      subscription.status = { active: true, lastDeliveryAt: at, lastError: null };
      return true;
    }
    const { failedSince = at, lastDeliveryAt } = subscription.status;
    const lastError = failureReason(result);
    subscription.status = { active: true, lastDeliveryAt, lastError, failedSince };
    if (next.is === "gone") return false;
    // The receiver rejects the event for its size. A later attempt would have the same size, so the event counts as
    // delivered.
    if (result.status === TOO_LARGE) return true;
    // The subscription was ended during the attempt. The waits below would not see an abort that came before them.
    if (signal.aborted) break;
    if (next.is === "again" && attempts < ATTEMPTS_MAX) {
      await pause(post, next.waitMs, signal);
      continue;
    }
    subscription.status = { ...subscription.status, active: false };
    await untilResumed(subscription);
    attempts = 0;
  }
  return true;
}

function pause(post: DeliverySender, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = post.callAfter(ms, end);
    signal.addEventListener("abort", end);
  });
}

function untilResumed(subscription: Subscription): Promise<void> {
  return new Promise((resolve) => {
    subscription.resume = resolve;
    subscription.stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
