import { type ServerContext, SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/server";
import { errorBody, serviceError } from "./event-errors.ts";
import type { EventFeed } from "./event-feed.ts";
import type { EventStart } from "./event-start.ts";
import { type EventSelection, eventOccurrence } from "./event-types.ts";

/**
 * A function that sends notifications one after the other. For a client that does not read, at most one notification
 * waits, over all its streams.
 */
export type NoticeSender = (
  { mcpReq }: ServerContext,
  method: string,
  params: Readonly<Record<string, unknown>>,
) => Promise<void>;

export function createNoticeSender(): NoticeSender {
  let sent: Promise<unknown> = Promise.resolve();
  return ({ mcpReq: { id, signal, notify } }, method, params) => {
    const stamped = { ...params, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } };
    const mine = sent.then(() =>
      signal.aborted ? undefined : notify({ method, params: stamped }),
    );
    sent = mine.catch(() => {});
    // The client may cancel a request while it reads no notifications. The cancellation must end the wait here.
    return new Promise((resolve, reject) => {
      const end = (): void => resolve();
      signal.addEventListener("abort", end);
      mine.then(end, reject).finally(() => signal.removeEventListener("abort", end));
    });
  };
}

/**
 * Delivers events as notifications until the client cancels its request. When the account's events end or cannot be
 * read, a last notification `terminated` says why.
 */
export async function streamEvents(
  { feed, notices }: { readonly feed: EventFeed; readonly notices: NoticeSender },
  { start, wanted }: { readonly start: EventStart; readonly wanted: EventSelection },
  context: ServerContext,
): Promise<void> {
  const { signal } = context.mcpReq;
  const { cursor: begin, truncated } = start;
  await notices(context, "notifications/events/active", { cursor: begin, truncated });
  try {
    for await (const { event, cursor } of feed.follow(start, wanted, signal)) {
      await (event === null
        ? notices(context, "notifications/events/heartbeat", { cursor })
        : notices(context, "notifications/events/event", { ...eventOccurrence(event), cursor }));
    }
  } catch (error) {
    if (signal.aborted) return;
    const ended = errorBody(serviceError(error));
    await notices(context, "notifications/events/terminated", { error: ended });
  }
}
