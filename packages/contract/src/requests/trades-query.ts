import { LIMITS } from "../limits.ts";
import type { QueryParameters } from "./query-string.ts";
import { parseWholeNumber, singleValue } from "./query-values.ts";

/** The page of trades that a query requests: where it begins and how many trades it has at most. */
export interface TradesRequest {
  /** The id of the last trade of the previous page; null for the newest trades. */
  readonly after: string | null;
  readonly limit: number;
}

/**
 * The result of reading the query of GET trades. `page` is null without `after` and `limit`, which requests all trades.
 */
export type TradesQuery =
  | { readonly ok: true; readonly page: TradesRequest | null }
  | { readonly ok: false; readonly message: string };

/** Reads the query of GET trades; a problem names its parameter. @rule D13.tradesPage */
export function parseTradesQuery(parameters: QueryParameters): TradesQuery {
  const [after, sent] = ["after", "limit"].map((name) => singleValue(parameters.get(name)));
  if (after === undefined && sent === undefined) return { ok: true, page: null };
  if (after === null || (after !== undefined && !TRADE_ID.test(after))) {
    return { ok: false, message: TRADES_AFTER_TEXT };
  }
  const limit = parseWholeNumber(sent, {
    min: LIMITS.eventsLimitMin,
    max: LIMITS.eventsLimitMax,
    otherwise: LIMITS.eventsLimitDefault,
  });
  if (limit === null) return { ok: false, message: LIMIT_TEXT };
  return { ok: true, page: { after: after ?? null, limit } };
}

const TRADE_ID = /^[\w-]{1,64}$/;
/** The error text of a parameter `after` of GET trades that is not the id of a trade. */
export const TRADES_AFTER_TEXT = "'after' must be the `next` of a page: the id of a trade";
const LIMIT_TEXT = `'limit' must be an integer between ${LIMITS.eventsLimitMin} and ${LIMITS.eventsLimitMax}`;
