import { LIMITS } from "../limits.ts";
import type { EventCursor } from "../resources/events/event-cursor.ts";
import { type EventType, isEventType } from "../resources/events/events.ts";
import type { QueryParameters } from "./query-string.ts";
import {
  AFTER_TEXT,
  parseCursorValue,
  parseWholeNumber,
  type SingleValue,
  singleValue,
} from "./query-values.ts";

/** The requested events. The server checks that `after` is a cursor of the account's journal. */
export interface EventsRequest {
  readonly after: EventCursor;
  readonly limit: number;
  /** The requested types of events; null for every type. */
  readonly types: ReadonlySet<EventType> | null;
  /** How long to wait for the first event when none is newer than `after`. */
  readonly waitMs: number;
  readonly hasProof: boolean;
}

/** A valid query of GET events, or the text of its problem. */
export type EventsQuery =
  | ({ readonly ok: true } & EventsRequest)
  | { readonly ok: false; readonly message: string };

/** The cursor before the first event of any account. */
export const START_CURSOR: EventCursor = { sequence: 0, hash: null };
const MS_PER_SECOND = 1_000;

/** Reads the query of GET events; a problem names its parameter. @rule D9.events D9.cursor D9.wait D9.proof */
export function parseEventsQuery(parameters: QueryParameters): EventsQuery {
  const given = (name: string): SingleValue => singleValue(parameters.get(name));
  const after = parseCursorValue(given("after"), START_CURSOR);
  if (after === null) return refuseQuery(AFTER_TEXT);
  const limit = parseWholeNumber(given("limit"), {
    min: LIMITS.eventsLimitMin,
    max: LIMITS.eventsLimitMax,
    otherwise: LIMITS.eventsLimitDefault,
  });
  if (limit === null) return refuseQuery(LIMIT_TEXT);
  const types = readTypes(given("types"));
  if (!types.ok) return types;
  const max = LIMITS.eventsWaitSecondsMax;
  const seconds = parseWholeNumber(given("wait"), { min: 0, max, otherwise: 0 });
  if (seconds === null) return refuseQuery(`'wait' must be whole seconds from 0 to ${max}`);
  const proof = readProof(given("proof"), types.value);
  if (!proof.ok) return proof;
  const waitMs = seconds * MS_PER_SECOND;
  return { ok: true, after, limit, types: types.value, waitMs, hasProof: proof.value };
}

const LIMIT_TEXT = `'limit' must be an integer between ${LIMITS.eventsLimitMin} and ${LIMITS.eventsLimitMax}`;

type ParameterResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

/**
 * The requested types, or the problem of the text. The types are null when the parameter is absent, which requests
 * every type.
 */
export function readTypes(text: SingleValue): ParameterResult<ReadonlySet<EventType> | null> {
  if (text === undefined) return { ok: true, value: null };
  const names = text === null ? [""] : text.split(",");
  if (names.includes(""))
    return refuseQuery("'types' must be types of events with commas between them");
  const types = names.filter(isEventType);
  const unknown = names.find((name) => !isEventType(name));
  if (unknown === undefined) return { ok: true, value: new Set(types) };
  return refuseQuery(`'types' names ${JSON.stringify(unknown)}, which is not a type of event`);
}

/**
 * Reads `proof`: true when each event is to include its proof. `proof=1` together with `types` is a problem, because a
 * proof needs every journal line. @rule D9.proof
 */
export function readProof(
  text: SingleValue,
  types: ReadonlySet<EventType> | null,
): ParameterResult<boolean> {
  if (text !== undefined && text !== "0" && text !== "1")
    return refuseQuery("'proof' must be 0 or 1");
  if (text === "1" && types !== null) {
    return refuseQuery("'proof' must be 0 with 'types': without every line there is no proof");
  }
  return { ok: true, value: text === "1" };
}

function refuseQuery(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}
