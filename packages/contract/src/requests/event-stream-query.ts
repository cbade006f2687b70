import { LIMITS } from "../limits.ts";
import type { EventCursor } from "../resources/events/event-cursor.ts";
import type { EventType } from "../resources/events/events.ts";
import { readProof, readTypes, START_CURSOR } from "./events-query.ts";
import type { QueryParameters } from "./query-string.ts";
import { AFTER_TEXT, parseCursorValue, type SingleValue, singleValue } from "./query-values.ts";
import { parseQuotesQuery } from "./quotes-query.ts";

/**
 * The requested stream. The server checks that `after` is a cursor of the account's journal, and that the pairs exist.
 */
export interface EventStreamRequest {
  readonly after: EventCursor;
  /** The types of events to send; null for every type, empty for none. */
  readonly types: ReadonlySet<EventType> | null;
  readonly hasProof: boolean;
  /** The pairs whose quotes to send, in canonical form and each once; empty for no quotes. */
  readonly pairs: readonly string[];
  /** The stream sends at most one quote of each pair per this many milliseconds. */
  readonly everyMs: number;
}

/** A valid query of GET events/stream, or the text of its problem. */
export type EventStreamQuery =
  | ({ readonly ok: true } & EventStreamRequest)
  | { readonly ok: false; readonly message: string };

/** The value of `types` that requests a stream of only `quote` and `mark` frames. */
const NO_TYPES = "none";
const MS_PER_SECOND = 1_000;

/** Reads the query of GET events/stream; a problem names its parameter. @rule D9.stream D9.streamQuotes */
export function parseEventStreamQuery(parameters: QueryParameters): EventStreamQuery {
  const given = (name: string): SingleValue => singleValue(parameters.get(name));
  const after = parseCursorValue(given("after"), START_CURSOR);
  if (after === null) return refuseQuery(AFTER_TEXT);
  const named = given("types");
  const types =
    named === NO_TYPES ? { ok: true as const, value: new Set<EventType>() } : readTypes(named);
  if (!types.ok) return types;
  const proof = readProof(given("proof"), types.value);
  if (!proof.ok) return proof;
  const pairs = readPairs(parameters.get("quotes"));
  if (pairs === null)
    return refuseQuery("'quotes' must be pair identifiers with commas between them");
  if (pairs.length > LIMITS.streamPairsMax) {
    return refuseQuery(`'quotes' must name at most ${LIMITS.streamPairsMax} pairs`);
  }
  const every = given("every");
  if (every !== undefined && pairs.length === 0) {
    return refuseQuery("'every' must not be given without 'quotes'");
  }
  const everyMs = readEvery(every);
  if (everyMs === null) return refuseQuery(EVERY_TEXT);
  return { ok: true, after, types: types.value, hasProof: proof.value, pairs, everyMs };
}

/** The error text for a pair in `quotes` that is not in the catalogue. */
export function unknownStreamPairText(pair: string): string {
  return `'quotes' names ${pair}, which is not a known pair`;
}

const EVERY_TEXT = `'every' must be seconds from ${LIMITS.streamEverySecondsMin} to ${LIMITS.streamEverySecondsMax}`;

/**
 * The pairs of the parameter `quotes`; empty when it is absent. Null when one of its names does not have the form of a
 * pair's name.
 */
function readPairs(values: readonly string[] | undefined): readonly string[] | null {
  if (values === undefined) return [];
  const query = parseQuotesQuery(new Map([["pairs", values]]));
  return query.ok ? query.pairs : null;
}

/**
 * The value of `every` in milliseconds, or its default when it is absent. Null when it is repeated, or is not a number
 * of seconds from `streamEverySecondsMin` to `streamEverySecondsMax` with at most six decimals.
 */
function readEvery(text: SingleValue): number | null {
  if (text === undefined) return LIMITS.streamEverySecondsDefault * MS_PER_SECOND;
  if (text === null || !/^[0-9]{1,3}(\.[0-9]{1,6})?$/.test(text)) return null;
  const seconds = Number(text);
  const isInRange =
    seconds >= LIMITS.streamEverySecondsMin && seconds <= LIMITS.streamEverySecondsMax;
  return isInRange ? Math.round(seconds * MS_PER_SECOND) : null;
}

function refuseQuery(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}
