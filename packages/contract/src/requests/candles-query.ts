import { LIMITS } from "../limits.ts";
import { CANDLE_INTERVALS, type CandleInterval } from "../words.ts";
import { normalizePairName } from "./pair-name.ts";
import type { QueryParameters } from "./query-string.ts";
import { parseTimeValue, type SingleValue, singleValue } from "./query-values.ts";

/** The requested candles; the newest ones when `afterMs` is null. The server checks that the pair exists. */
export interface CandlesRequest {
  /** The pair's name in canonical form: upper case without a slash. */
  readonly pair: string;
  readonly interval: CandleInterval;
  /** Only candles that start later than this are requested; null requests the newest ones. */
  readonly afterMs: number | null;
  readonly limit: number;
}

/** A valid query of GET candles, or the text of its problem. */
export type CandlesQuery =
  | ({ readonly ok: true } & CandlesRequest)
  | { readonly ok: false; readonly message: string };

/** Reads the query of GET candles; a problem names its parameter. @rule D9.candles */
export function parseCandlesQuery(parameters: QueryParameters): CandlesQuery {
  const given = (name: string): SingleValue => singleValue(parameters.get(name));
  const pair = readPair(given("tradePair"));
  if (pair === null) return refuseQuery("'tradePair' must be one pair identifier");
  const interval = CANDLE_INTERVALS.find((one) => one === given("interval"));
  if (interval === undefined) {
    return refuseQuery(`'interval' must be one of ${CANDLE_INTERVALS.join(", ")}`);
  }
  const after = given("after");
  const time = after === undefined ? { ms: null } : parseTimeValue(after);
  if ("problem" in time) return refuseQuery(`'after' ${time.problem}`);
  const page = given("limit");
  const limit = page === undefined ? LIMITS.candlesLimitDefault : wholeNumber(page);
  if (limit === null || limit < LIMITS.candlesLimitMin || limit > LIMITS.candlesLimitMax) {
    return refuseQuery(LIMIT_TEXT);
  }
  return { ok: true, pair, interval, afterMs: time.ms, limit };
}

/** The error text for a `tradePair` that is not in the catalogue. */
export function unknownTradePairText(pair: string): string {
  return `'tradePair' names ${pair}, which is not a known pair`;
}

const LIMIT_TEXT = `'limit' must be an integer between ${LIMITS.candlesLimitMin} and ${LIMITS.candlesLimitMax}`;

function readPair(text: SingleValue): string | null {
  return typeof text === "string" ? normalizePairName(text) : null;
}

function wholeNumber(text: SingleValue): number | null {
  return typeof text === "string" && /^[0-9]+$/.test(text) ? Number(text) : null;
}

function refuseQuery(message: string): CandlesQuery {
  return { ok: false, message };
}
