import { type EventType, LIMITS } from "@propgate/contract";
import type { Client } from "../client.ts";
import type { AccountEvent } from "../described/events.ts";
import { HistoryDiffersError, RejectedError } from "../errors.ts";
import { type EventStreamOptions, pastError, sequenceOf } from "./event-stream.ts";

export interface EventConsumerOptions {
  /** The cursor that `save` got last; null at first. */
  readonly load: () => Promise<string | null> | string | null;
  /** Acts on one event. The next one comes when it has resolved. */
  readonly handle: (event: AccountEvent) => Promise<void> | void;
  /**
   * Stores the cursor of the handled event. Absent when `handle` stores `event.cursor` itself, in one transaction with
   * its effect: then each event has its effect exactly once.
   */
  readonly save?: (cursor: string) => Promise<void> | void;
  /** Only these types, as the webhook has them; all when absent. */
  readonly types?: readonly EventType[];
}

/** `other` is not an event of an account, such as `webhook.test`. All three are to be acknowledged. */
export type ReceivedWebhook = "handled" | "repeat" | "other";

/** Acts on the events of one account. */
export interface EventConsumer {
  /**
   * Handles the events after the stored cursor, one at a time, until the signal aborts or the account is closed; with
   * `until: "head"` until the newest event. Throws what `handle` throws, HistoryDiffersError when the history differs
   * from the cursor's, and RejectedError when the key is no longer allowed.
   */
  run(
    client: Pick<Client, "events">,
    options?: Pick<EventStreamOptions, "signal" | "until">,
  ): Promise<void>;
  /**
   * Handles the event of a webhook whose signature was verified. Where events before it are missing, it reads and
   * handles them first. Throws HistoryDiffersError, which a receiver answers with 409, and what `handle` and the
   * client throw: then the service sends the event again.
   */
  receive(body: string, client: Pick<Client, "eventsPage">): Promise<ReceivedWebhook>;
}

/** Acts on each event of an account once, across crashes and lost connections. @rule D9.consumer decides */
export function createEventConsumer(options: EventConsumerOptions): EventConsumer {
  const { load, handle, save, types } = options;
  const filter = types === undefined ? {} : { types };
  // An attempt may come while the one before, whose time was over, still handles its event.
  let lastReceived: Promise<unknown> = Promise.resolve();

  const take = async (event: AccountEvent): Promise<void> => {
    await handle(event);
    await save?.(event.cursor);
  };
  const takeDelivered = async (
    { event, previous }: Delivered,
    client: Pick<Client, "eventsPage">,
  ): Promise<ReceivedWebhook> => {
    const after = await load();
    const last = after === null ? null : sequenceOf(after);
    if (last !== null && event.sequence <= last) {
      if (event.sequence === last) requireSame(event, after);
      return "repeat";
    }
    if (previous !== last) {
      for await (const missing of eventsBefore(event, client, { ...filter, after: after ?? 0 })) {
        await take(missing);
      }
    }
    await take(event);
    return "handled";
  };

  return {
    async run(client, following = {}) {
      const after = (await load()) ?? 0;
      for await (const event of client.events({ ...filter, after }, following)) await take(event);
    },
    async receive(body, client) {
      const delivered = readDelivered(body);
      if (delivered === null) return "other";
      const received = lastReceived.then(() => takeDelivered(delivered, client));
      lastReceived = received.catch(() => undefined);
      return received;
    },
  };
}

interface Delivered {
  readonly event: AccountEvent;
  /** The number of the webhook's event before this one; null for its first. */
  readonly previous: number | null;
}

/** Null for a body without an event of the account: tests and alerts have no number. */
function readDelivered(body: string): Delivered | null {
  const { data } = JSON.parse(body) as { readonly data: Delivered["event"] & OfWebhook };
  if (typeof data.sequence !== "number") return null;
  const { accountId: _account, ownerId: _owner, externalId: _external, previous, ...event } = data;
  return { event: event as AccountEvent, previous };
}

/** The fields that a webhook adds to an event. */
interface OfWebhook {
  readonly accountId: string;
  readonly ownerId: string | null;
  readonly externalId: string | null;
  readonly previous: number | null;
}

/** The events from a place to the given one, without it. */
async function* eventsBefore(
  event: AccountEvent,
  client: Pick<Client, "eventsPage">,
  query: { readonly after: string | number; readonly types?: readonly EventType[] },
): AsyncGenerator<AccountEvent> {
  for (let { after } = query; sequenceOf(after) < event.sequence; ) {
    const page = { ...query, after, limit: LIMITS.eventsLimitMax };
    const { items, next, head } = await client.eventsPage(page).catch((error: unknown) => {
      throw error instanceof RejectedError ? pastError(error) : error;
    });
    if (head.sequence < event.sequence) {
      throw new HistoryDiffersError(`event ${event.sequence} is ahead of ${head.sequence}`);
    }
    for (const item of items) {
      if (item.sequence === event.sequence) requireSame(event, item.cursor);
      if (item.sequence >= event.sequence) return;
      yield item;
    }
    after = next;
  }
}

/** @throws HistoryDiffersError */
function requireSame({ sequence, cursor }: AccountEvent, known: string | null): void {
  if (cursor !== known) throw new HistoryDiffersError(`event ${sequence} is another one`);
}
