import { LIMITS } from "../limits.ts";
import { CANDLE_INTERVALS, type CandleInterval } from "../words.ts";
import { normalizePairName } from "./pair-name.ts";
import type { QueryParameters } from "./query-string.ts";

/** The requested candles; without `afterMs` the newest ones. The server checks that the pair exists. */
export interface CandlesRequest {
  /** In canonical form. */
  readonly pair: string;
  readonly interval: CandleInterval;
  /** Only candles that start later; null for the newest. */
  readonly afterMs: number | null;
  readonly limit: number;
}

export type CandlesQuery =
  | ({ readonly ok: true } & CandlesRequest)
  | { readonly ok: false; readonly message: string };

/** Reads the query of GET candles; a problem names its parameter. @rule D9.candles */
export function parseCandlesQuery(parameters: QueryParameters): CandlesQuery {
  const given = (name: string): Given => single(parameters.get(name));
  const pair = readPair(given("tradePair"));
  if (pair === null) return refused("'tradePair' must be one pair identifier");
  const interval = CANDLE_INTERVALS.find((one) => one === given("interval"));
  if (interval === undefined) {
    return refused(`'interval' must be one of ${CANDLE_INTERVALS.join(", ")}`);
  }
  const after = given("after");
  const afterMs = after === undefined ? null : wholeNumber(after);
  if (after !== undefined && (afterMs === null || afterMs > LATEST_MS)) {
    return refused("'after' must be the startMs of a candle, in Unix milliseconds");
  }
  const page = given("limit");
  const limit = page === undefined ? LIMITS.candlesLimitDefault : wholeNumber(page);
  if (limit === null || limit < LIMITS.candlesLimitMin || limit > LIMITS.candlesLimitMax) {
    return refused(LIMIT_TEXT);
  }
  return { ok: true, pair, interval, afterMs, limit };
}

/** The error text for a pair that is not in the catalogue. */
export function unknownTradePairText(pair: string): string {
  return `'tradePair' names ${pair}, which is not a known pair`;
}

const LIMIT_TEXT = `'limit' must be an integer between ${LIMITS.candlesLimitMin} and ${LIMITS.candlesLimitMax}`;
/** The last moment of the language's calendar. */
const LATEST_MS = 8_640_000_000_000_000;

/** Undefined when the parameter is absent; null when it is repeated. */
type Given = string | null | undefined;

function single(values: readonly string[] | undefined): Given {
  if (values === undefined) return undefined;
  const [value, ...more] = values;
  return value === undefined || more.length > 0 ? null : value;
}

function readPair(text: Given): string | null {
  return typeof text === "string" ? normalizePairName(text) : null;
}

function wholeNumber(text: Given): number | null {
  return typeof text === "string" && /^[0-9]+$/.test(text) ? Number(text) : null;
}

function refused(message: string): CandlesQuery {
  return { ok: false, message };
}
