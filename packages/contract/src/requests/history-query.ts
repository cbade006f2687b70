import { LIMITS } from "../limits.ts";
import type { EventCursor } from "../resources/events/event-cursor.ts";
import { normalizePairName } from "./pair-name.ts";
import type { QueryParameters } from "./query-string.ts";
import {
  AFTER_TEXT,
  parseCursorValue,
  parseTimeValue,
  parseWholeNumber,
  type SingleValue,
  singleValue,
} from "./query-values.ts";

/** The requested orders or fills. The server checks that the pair and the cursor exist. */
export interface HistoryRequest {
  /** The cursor after which the page begins; null for the newest items, or for the first ones since `sinceMs`. */
  readonly after: EventCursor | null;
  readonly limit: number;
  /** The pair in canonical form; null for all pairs. */
  readonly pair: string | null;
  readonly sinceMs: number | null;
}

/** A valid query of GET order-history or GET fills, or the text of its problem. */
export type HistoryQuery =
  | ({ readonly ok: true } & HistoryRequest)
  | { readonly ok: false; readonly message: string };

/** Reads the query of GET order-history and GET fills; a problem names its parameter. @rule D9.orderHistory D9.fills */
export function parseHistoryQuery(parameters: QueryParameters): HistoryQuery {
  const given = (name: string): SingleValue => singleValue(parameters.get(name));
  const after = parseCursorValue(given("after"), undefined);
  if (after === null) return refuseQuery(AFTER_TEXT);
  const limit = parseWholeNumber(given("limit"), {
    min: LIMITS.eventsLimitMin,
    max: LIMITS.eventsLimitMax,
    otherwise: LIMITS.eventsLimitDefault,
  });
  if (limit === null) return refuseQuery(LIMIT_TEXT);
  const name = given("tradePair");
  const pair = typeof name === "string" ? normalizePairName(name) : null;
  if (name !== undefined && pair === null) {
    return refuseQuery("'tradePair' must be one pair identifier");
  }
  const since = given("since");
  const time = since === undefined ? { ms: null } : parseTimeValue(since);
  if ("problem" in time) return refuseQuery(`'since' ${time.problem}`);
  return { ok: true, after: after ?? null, limit, pair, sinceMs: time.ms };
}

/** A valid query of GET orders/{orderUuid}, or the text of its problem. */
export type LifeQuery =
  | {
      readonly ok: true;
      /** The event after which the answer begins; null for all events of the order. */
      readonly after: EventCursor | null;
    }
  | { readonly ok: false; readonly message: string };

/** Reads the query of GET orders/{orderUuid}; a problem names its parameter. @rule D9.orderLife D13.answerBytes */
export function parseLifeQuery(parameters: QueryParameters): LifeQuery {
  const after = parseCursorValue(singleValue(parameters.get("after")), undefined);
  return after === null ? refuseQuery(AFTER_TEXT) : { ok: true, after: after ?? null };
}

const LIMIT_TEXT = `'limit' must be an integer between ${LIMITS.eventsLimitMin} and ${LIMITS.eventsLimitMax}`;

function refuseQuery(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}
