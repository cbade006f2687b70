import type {
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import type { Linked } from "@propgate/contract";
import type { Client } from "@propgate/sdk";
import { fieldsOf } from "../read-arguments.ts";
import { toolSchema } from "../tool-schema.ts";
import { eventError, serviceError, tooManyError } from "./event-errors.ts";
import { createEventFeed, type EventFeed } from "./event-feed.ts";
import { findStart, pollEvents, readStart, readWholeNumber } from "./event-start.ts";
import { createNoticeSender, streamEvents } from "./event-stream.ts";
import {
  type EventSelection,
  eventOccurrence,
  eventTypeItems,
  readSelection,
} from "./event-types.ts";
import type { EventWebhooks } from "./event-webhooks.ts";

/** The methods of MCP Events, for all connections of the process. */
export interface EventMethods {
  /** Adds the methods to the server of one connection. */
  readonly addTo: (server: McpServer) => void;
  /** Ends every stream and every subscription, and waits for the deliveries in progress. */
  readonly close: () => Promise<void>;
}

/**
 * The capability of a server with these methods. `listChanged` is false because the types of events do not change while
 * the server runs.
 */
export const EVENTS_CAPABILITY = { events: { listChanged: false } };

const STREAMS_MAX = 64;
const NEXT_POLL_MS = 5_000;

/**
 * The methods of MCP Events, by the draft of its working group: docs/design-sketch-proposal.md at 082166f0 in
 * modelcontextprotocol/experimental-ext-triggers-events.
 */
export function createEventMethods(
  client: Client<Linked>,
  openWebhooks: (feed: EventFeed) => EventWebhooks,
): EventMethods {
  const feed = createEventFeed(client);
  const notices = createNoticeSender();
  const webhooks = openWebhooks(feed);
  const wantedIn = createSelectionReader(client);
  let streams = 0;
  const methods: Readonly<Record<string, (params: unknown, context: ServerContext) => unknown>> = {
    "events/list": (params) => {
      if ((fieldsOf(params).cursor ?? null) === null) return { events: eventTypeItems() };
      throw eventError("InvalidParams", "'cursor' must be absent: the list has one page");
    },
    "events/poll": async (params) => {
      const wanted = await wantedIn(params);
      const maxEvents = readWholeNumber(params, "maxEvents", 1);
      const { events, ...rest } = await pollEvents(client, wanted, {
        ...readStart(params),
        maxEvents,
      });
      return { events: events.map(eventOccurrence), ...rest, nextPollMs: NEXT_POLL_MS };
    },
    "events/stream": async (params, context) => {
      const wanted = await wantedIn(params);
      if (streams >= STREAMS_MAX) throw tooManyError("streams", STREAMS_MAX);
      streams += 1;
      try {
        const start = await findStart(client, wanted, readStart(params));
        await streamEvents({ feed, notices }, { start, wanted }, context);
        return { _meta: {} };
      } finally {
        streams -= 1;
      }
    },
    "events/subscribe": async (params) => webhooks.subscribe(await wantedIn(params), params),
    "events/unsubscribe": (params) => webhooks.unsubscribe(readSelection(params), params),
  };
  return {
    addTo(server) {
      for (const [method, answer] of Object.entries(methods)) {
        server.server.setRequestHandler(
          method,
          { params: ANY_SCHEMA },
          async (params, context) => ({
            ...fieldsOf(await answer(params, context)),
          }),
        );
      }
    },
    async close() {
      feed.close();
      await webhooks.close();
    },
  };
}

/** A schema that allows everything: the methods check their own parameters, so that a problem names its field. */
const ANY_SCHEMA: StandardSchemaWithJSON = toolSchema({});

/**
 * A function that reads the selection of a request. It rejects a pair that the service does not have, because a
 * misspelt pair would never have an event.
 */
function createSelectionReader(
  client: Client<Linked>,
): (params: unknown) => Promise<EventSelection> {
  const known = new Set<string>();
  return async (params) => {
    const wanted = readSelection(params);
    const { pair } = wanted;
    if (pair === null || known.has(pair)) return wanted;
    try {
      for (const { tradePair } of await client.instruments()) known.add(tradePair);
    } catch (error) {
      throw serviceError(error);
    }
    if (known.has(pair)) return wanted;
    throw eventError("InvalidParams", `'arguments.tradePair' is ${pair}, which is no known pair`);
  };
}
