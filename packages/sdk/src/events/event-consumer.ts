import { type EventType, LIMITS, type Linked } from "@propgate/contract";
import type { Client } from "../client.ts";
import type { AccountEvent } from "../described/events.ts";
import { HistoryDiffersError, RejectedError } from "../errors.ts";
import { type AlertHandling, handleAlert } from "./alert-order.ts";
import { asHistoryError, type EventStreamOptions, sequenceOf } from "./event-stream.ts";

/** The functions of a consumer that handle events, and that load and save its cursor. */
export interface EventConsumerOptions<Unsent extends Linked = never> {
  /** The cursor that was saved last; null when none was saved. */
  readonly load: () => Promise<string | null> | string | null;
  /** Handles one event. The next event is handled after this promise has resolved. */
  readonly handle: (event: AccountEvent<Unsent>) => Promise<void> | void;
  /**
   * Stores the cursor of the handled event. Absent when `handle` stores `event.cursor` itself, in one transaction with
   * its effect: then each event has its effect exactly once.
   */
  readonly save?: (cursor: string) => Promise<void> | void;
  /** The types of the events that are handled, which must be the webhook's own `types`; all types when absent. */
  readonly types?: readonly EventType[];
  /**
   * Acts on the alerts that a webhook sends, in the order of each owner. When absent, alerts are acknowledged and not
   * handled.
   */
  readonly alerts?: AlertHandling;
}

/**
 * The result of `receive`. `handled`: the event or alert was handled now. `repeat`: it was handled before. `other`:
 * neither an event nor an alert that is handled, such as `webhook.test`. A receiver acknowledges all three.
 */
export type ReceivedWebhook = "handled" | "repeat" | "other";

/** Acts on the events of one account. See `createEventConsumer`. */
export interface EventConsumer<Unsent extends Linked = never> {
  /**
   * Handles the events after the stored cursor, one at a time, until the signal aborts or the account is closed; with
   * `until: "head"` until the newest event. Throws what `handle` throws, HistoryDiffersError when the account's history
   * does not contain the cursor, and RejectedError when the key may not be used.
   */
  run(
    client: Pick<Client<Unsent>, "events">,
    options?: Pick<EventStreamOptions, "signal" | "until">,
  ): Promise<void>;
  /**
   * Handles the event or alert of a webhook whose signature was verified. Where earlier events are missing, it reads
   * and handles them first. Throws HistoryDiffersError, and AlertsMissingError for missing alerts, which no key can
   * read. Also throws what `handle` and the client throw. A receiver that answers with an error gets the event again;
   * its answer to an AlertsMissingError should be 409.
   */
  receive(body: string, client: Pick<Client<Unsent>, "eventsPage">): Promise<ReceivedWebhook>;
}

/**
 * Makes a consumer that handles each event of an account in order, and does not handle an event up to the saved cursor
 * again. After a crash between `handle` and `save`, one event is handled twice, unless `handle` saves the cursor
 * itself. @rule D9.consumer decides
 */
export function createEventConsumer<Unsent extends Linked = never>(
  options: EventConsumerOptions<Unsent>,
): EventConsumer<Unsent> {
  const { load, handle, save, types, alerts } = options;
  const filter = types === undefined ? {} : { types };
  // The service sends an event again when its attempt has timed out, and the receiver may still be handling the event
  // of that attempt. So the attempts are handled one after the other.
  let lastReceived: Promise<unknown> = Promise.resolve();

  const handleAndSave = async (event: AccountEvent<Unsent>): Promise<void> => {
    await handle(event);
    await save?.(event.cursor);
  };
  const handleDelivered = async (
    { event, previous }: DeliveredEvent<Unsent>,
    client: Pick<Client<Unsent>, "eventsPage">,
  ): Promise<ReceivedWebhook> => {
    const after = await load();
    const last = after === null ? null : sequenceOf(after);
    if (last !== null && event.sequence <= last) {
      if (event.sequence === last) requireSame(event, after);
      return "repeat";
    }
    if (previous !== last) {
      for await (const missing of eventsBefore(event, client, { ...filter, after: after ?? 0 })) {
        await handleAndSave(missing);
      }
    }
    await handleAndSave(event);
    return "handled";
  };

  return {
    async run(client, following = {}) {
      const after = (await load()) ?? 0;
      for await (const event of client.events({ ...filter, after }, following))
        await handleAndSave(event);
    },
    async receive(body, client) {
      const { event: delivered, alert } = readDelivered<Unsent>(body);
      const received = lastReceived.then((): Promise<ReceivedWebhook> | ReceivedWebhook => {
        if (delivered !== null) return handleDelivered(delivered, client);
        return alert === null || alerts === undefined ? "other" : handleAlert(alert, alerts);
      });
      lastReceived = received.catch(() => undefined);
      return received;
    },
  };
}

interface DeliveredEvent<Unsent extends Linked> {
  readonly event: AccountEvent<Unsent>;
  /** The sequence of the event that the webhook sent before this one; null for its first event. */
  readonly previous: number | null;
}

type AlertBody = Parameters<typeof handleAlert>[0];

/** The event or the alert in the body of a delivery. Both are null for a test delivery. */
function readDelivered<Unsent extends Linked>(
  body: string,
): {
  readonly event: DeliveredEvent<Unsent> | null;
  readonly alert: AlertBody | null;
} {
  const { data } = JSON.parse(body) as {
    readonly data:
      | (AccountEvent<Unsent> & WebhookFields)
      | (AlertBody & { readonly sequence: null });
  };
  if (data.sequence === null) {
    const { sequence: _, ...alert } = data;
    return { event: null, alert: typeof alert.number === "number" ? alert : null };
  }
  const { accountId: _account, ownerId: _owner, externalId: _external, previous, ...event } = data;
  return { event: { event: event as AccountEvent<Unsent>, previous }, alert: null };
}

/** The fields that a webhook adds to those of an event. */
interface WebhookFields {
  readonly accountId: string;
  readonly ownerId: string | null;
  readonly externalId: string | null;
  readonly previous: number | null;
}

/** The events after the cursor or sequence `after` and before the given event. */
async function* eventsBefore<Unsent extends Linked>(
  event: AccountEvent<Unsent>,
  client: Pick<Client<Unsent>, "eventsPage">,
  query: { readonly after: string | number; readonly types?: readonly EventType[] },
): AsyncGenerator<AccountEvent<Unsent>> {
  for (let { after } = query; sequenceOf(after) < event.sequence; ) {
    const page = { ...query, after, limit: LIMITS.eventsLimitMax };
    const { items, next, head } = await client.eventsPage(page).catch((error: unknown) => {
      throw error instanceof RejectedError ? asHistoryError(error) : error;
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

/**
 * Checks that the event has the known cursor of its sequence.
 * @throws HistoryDiffersError
 */
function requireSame(
  { sequence, cursor }: Pick<AccountEvent, "sequence" | "cursor">,
  known: string | null,
): void {
  if (cursor !== known) throw new HistoryDiffersError(`event ${sequence} is another one`);
}
