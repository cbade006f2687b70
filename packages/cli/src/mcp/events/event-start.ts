import { eventCursor, LIMITS, type Linked } from "@propgate/contract";
import type { Client, EventsPage } from "@propgate/sdk";
import { fieldsOf } from "../read-arguments.ts";
import { eventError, serviceError } from "./event-errors.ts";
import { type EventSelection, isSelected } from "./event-types.ts";

/** The point of the journal at which a request begins, as the client gave it. */
export interface RequestedStart {
  /** The cursor after which to begin; null for the head of the journal. */
  readonly cursor: string | null;
  readonly maxAgeMs: number | null;
}

/** The point of the journal at which a subscription begins. */
export interface EventStart {
  readonly cursor: string;
  /** Events before this time, by the service's clock, are left out. */
  readonly fromMs: number;
  /** True when `fromMs` leaves out events of the selected types, for any pair, after the given cursor. */
  readonly truncated: boolean;
  /** The head of the journal when it was read. */
  readonly head: string;
}

/** Reads where a request begins from its parameters. Throws an error that names a wrong parameter. */
export function readStart(params: unknown): RequestedStart {
  const { cursor = null } = fieldsOf(params);
  if (cursor !== null && (typeof cursor !== "string" || cursor === "")) {
    throw eventError("InvalidParams", "'cursor' must be a cursor of this server, or null for now");
  }
  return { cursor, maxAgeMs: readWholeNumber(params, "maxAgeMs", 0) };
}

/** A whole number of at least `min`; null when the parameter is absent or null. Throws for any other value. */
export function readWholeNumber(params: unknown, name: string, min: number): number | null {
  const given = fieldsOf(params)[name] ?? null;
  if (given === null) return null;
  if (typeof given === "number" && Number.isSafeInteger(given) && given >= min) return given;
  throw eventError("InvalidParams", `'${name}' must be a whole number of at least ${min}`);
}

/**
 * The start of a request. The service checks the cursor, so that a wrong one is an error at the beginning and not an
 * endless wait.
 */
export async function findStart(
  client: Client<Linked>,
  wanted: EventSelection,
  given: RequestedStart,
): Promise<EventStart> {
  return (await readFrom(client, wanted, { ...given, limit: 1 })).start;
}

/** The result of `events/poll`, without `nextPollMs`. */
export async function pollEvents(
  client: Client<Linked>,
  wanted: EventSelection,
  given: RequestedStart & { readonly maxEvents: number | null },
) {
  const limit = Math.min(given.maxEvents ?? LIMITS.eventsLimitDefault, LIMITS.eventsLimitMax);
  const { start, page } = await readFrom(client, wanted, { ...given, limit });
  const { cursor, truncated, fromMs, head } = start;
  if (page === null) return { events: [], cursor, truncated, hasMore: false };
  const events = page.items.filter((event) => isSelected(event, wanted) && event.atMs >= fromMs);
  return {
    events,
    cursor: page.next,
    truncated,
    hasMore: sequenceOf(page.next) < sequenceOf(head),
  };
}

/** The number of the journal line that a cursor names. */
export function sequenceOf(cursor: string): number {
  return Number(cursor.split("-")[0]);
}

interface StartPage {
  readonly start: EventStart;
  /** The events after the cursor; null without a cursor, when the request begins at the head. */
  readonly page: EventsPage<Linked> | null;
}

async function readFrom(
  client: Client<Linked>,
  { types }: EventSelection,
  { cursor, maxAgeMs, limit }: RequestedStart & { readonly limit: number },
): Promise<StartPage> {
  try {
    // Without a cursor, one event is read only to learn the head of the journal.
    const query = cursor === null ? { after: 0, limit: 1 } : { after: cursor, limit, types };
    const page = await client.eventsPage(query);
    const head = eventCursor(page.head.sequence, page.head.hash);
    if (cursor === null) {
      return { start: { cursor: head, fromMs: 0, truncated: false, head }, page: null };
    }
    const fromMs = maxAgeMs === null ? 0 : (await client.time()).serverTimeMs - maxAgeMs;
    const truncated = (page.items[0]?.atMs ?? fromMs) < fromMs;
    return { start: { cursor, fromMs, truncated, head }, page };
  } catch (error) {
    throw serviceError(error);
  }
}
