import { eventCursor, LIMITS, type Linked } from "@propgate/contract";
import type { Client, EventsPage } from "@propgate/sdk";
import { fieldsOf } from "../read-arguments.ts";
import { eventError, serviceError } from "./event-errors.ts";
import { isWanted, type Wanted } from "./event-types.ts";

/** Where a request begins, as the client names it. */
export interface GivenStart {
  /** Null for now. */
  readonly cursor: string | null;
  readonly maxAgeMs: number | null;
}

/** A place of the journal at which a subscription begins. */
export interface EventStart {
  readonly cursor: string;
  /** Earlier events are left out, by the service's clock. */
  readonly fromMs: number;
  /** Events after the given cursor were left out. */
  readonly truncated: boolean;
  /** The end of the journal when it was read. */
  readonly head: string;
}

export function readStart(params: unknown): GivenStart {
  const { cursor = null } = fieldsOf(params);
  if (cursor !== null && (typeof cursor !== "string" || cursor === "")) {
    throw eventError("InvalidParams", "'cursor' must be a cursor of this server, or null for now");
  }
  return { cursor, maxAgeMs: readWhole(params, "maxAgeMs", 0) };
}

/** A whole number of at least `min`; null when it is absent. */
export function readWhole(params: unknown, name: string, min: number): number | null {
  const given = fieldsOf(params)[name] ?? null;
  if (given === null) return null;
  if (typeof given === "number" && Number.isSafeInteger(given) && given >= min) return given;
  throw eventError("InvalidParams", `'${name}' must be a whole number of at least ${min}`);
}

/** Has the service judge the cursor, so that a wrong one is an answer and not an endless wait. */
export async function findStart(
  client: Client<Linked>,
  wanted: Wanted,
  given: GivenStart,
): Promise<EventStart> {
  return (await readFrom(client, wanted, { ...given, limit: 1 })).start;
}

/** The answer of `events/poll`, without `nextPollMs`. */
export async function pollEvents(
  client: Client<Linked>,
  wanted: Wanted,
  given: GivenStart & { readonly maxEvents: number | null },
) {
  const limit = Math.min(given.maxEvents ?? LIMITS.eventsLimitDefault, LIMITS.eventsLimitMax);
  const { start, page } = await readFrom(client, wanted, { ...given, limit });
  const { cursor, truncated, fromMs, head } = start;
  if (page === null) return { events: [], cursor, truncated, hasMore: false };
  const events = page.items.filter((event) => isWanted(event, wanted) && event.atMs >= fromMs);
  return {
    events,
    cursor: page.next,
    truncated,
    hasMore: sequenceOf(page.next) < sequenceOf(head),
  };
}

export function sequenceOf(cursor: string): number {
  return Number(cursor.split("-")[0]);
}

interface Read {
  readonly start: EventStart;
  /** The events after the cursor; null without a cursor. */
  readonly page: EventsPage<Linked> | null;
}

async function readFrom(
  client: Client<Linked>,
  { types }: Wanted,
  { cursor, maxAgeMs, limit }: GivenStart & { readonly limit: number },
): Promise<Read> {
  try {
    // The first event is read for the head of the journal alone.
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
