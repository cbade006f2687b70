import type { AccountEvent, Linked } from "@propgate/contract";
import { type Callback, callBack, failureReason, tellCallback } from "./callback.ts";
import { errorInBody, serviceError } from "./event-errors.ts";
import type { EventFeed } from "./event-feed.ts";
import type { EventStart } from "./event-start.ts";
import { occurrenceOf, type Wanted } from "./event-types.ts";
import type { Post } from "./post.ts";

/** `deliveryStatus` of a refresh. */
export interface DeliveryStatus {
  /** False after too many failed attempts, until the next refresh. */
  readonly active: boolean;
  readonly lastDeliveryAt: string | null;
  readonly lastError: string | null;
  readonly failedSince?: string;
}

/** A subscription while it lasts. */
export interface Subscription extends Callback {
  readonly wanted: Wanted;
  secrets: readonly string[];
  /** Everything up to here was taken, or left out by the filter. */
  cursor: string;
  status: DeliveryStatus;
  readonly stop: AbortController;
  /** Goes on with a suspended delivery. */
  resume: () => void;
}

/** An event gets as many attempts in half an hour, then delivery is suspended. */
const ATTEMPTS_MAX = 4;
const TOO_LARGE = 413;

export type Ending = "over" | "gone";

/**
 * Delivers the events one after the other, each until it is taken, so that the receiver's order is the account's.
 * Resolves when the subscription is over: stopped, gone by the receiver's own word, or without a future.
 */
export async function deliverEvents(
  { feed, post }: { readonly feed: EventFeed; readonly post: Post },
  subscription: Subscription,
  start: EventStart,
): Promise<Ending> {
  const { wanted, stop } = subscription;
  try {
    for await (const { event, cursor } of feed.follow(start, wanted, stop.signal)) {
      const taken = event === null || (await deliverEvent(post, subscription, { event, cursor }));
      if (stop.signal.aborted) return "over";
      if (!taken) return "gone";
      subscription.cursor = cursor;
    }
  } catch (error) {
    const ended = errorInBody(serviceError(error));
    await tellCallback(post, subscription, { type: "terminated", error: ended });
  }
  return "over";
}

/** False when the receiver wants nothing more. */
async function deliverEvent(
  post: Post,
  subscription: Subscription,
  { event, cursor }: { readonly event: AccountEvent<Linked>; readonly cursor: string },
): Promise<boolean> {
  const body = { ...occurrenceOf(event), cursor };
  const { signal } = subscription.stop;
  for (let attempts = 1; !signal.aborted; attempts += 1) {
    const result = await callBack(post, subscription, { id: event.id, body });
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
    // No later attempt makes it smaller.
    if (result.status === TOO_LARGE) return true;
    // Ended during the attempt: an abort that has been is not heard again, so the waits below would not end.
    if (signal.aborted) break;
    if (next.is === "again" && attempts < ATTEMPTS_MAX) {
      await pause(post, next.waitMs, signal);
      continue;
    }
    subscription.status = { ...subscription.status, active: false };
    await resumed(subscription);
    attempts = 0;
  }
  return true;
}

function pause(post: Post, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = post.after(ms, end);
    signal.addEventListener("abort", end);
  });
}

function resumed(subscription: Subscription): Promise<void> {
  return new Promise((resolve) => {
    subscription.resume = resolve;
    subscription.stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
