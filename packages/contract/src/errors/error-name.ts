import { TRADES_AFTER_TEXT } from "../requests/trades-query.ts";
import { ERROR_NAMES, ERRORS, type ErrorName, type ErrorRow } from "./errors.ts";

/**
 * Finds the row of the error table that an answer belongs to, by its status and its `error`. Some rows have texts that
 * depend on the request. A 400 about a parameter of a query belongs to the row of that query, such as `invalidEvents`,
 * one about a field of the body is `invalidBody`, and any other is `orderRefused`. A 404 may be `notOffered`, a 503
 * `snapshotUnavailable`, and every 502 is `upstreamFailed`. Null when no row fits, as for an error before the endpoint,
 * or for the 504 of a proxy. @rule S7.table
 */
export function errorNameOf(status: number, error: string): ErrorName | null {
  const rows = ERROR_NAMES.filter((name) => ERRORS[name].status === status);
  const byText = rows.find((name) => isFixedText(ERRORS[name], error));
  if (byText !== undefined) return byText;
  if (status === 503) return isSnapshotText(error) ? "snapshotUnavailable" : null;
  if (status === 502) return "upstreamFailed";
  if (status === 404) return error.startsWith(NOT_OFFERED) ? "notOffered" : null;
  return status !== 400 || EDGE_TEXTS.includes(error) ? null : nameOf400(error);
}

function nameOf400(error: string): ErrorName {
  if (error.startsWith("'pairs' ")) return "invalidPairs";
  if (EVENTS_PROBLEM.test(error)) return "invalidEvents";
  if (error === TRADES_AFTER_TEXT) return "invalidTrades";
  if (error.startsWith("'since' ")) return "invalidHistory";
  if (CANDLES_PROBLEM.test(error)) return "invalidCandles";
  return FIELD_PROBLEM.test(error) ? "invalidBody" : "orderRefused";
}

/** Texts of a 400 that the service answers before it knows the endpoint. */
const EDGE_TEXTS: readonly string[] = ["Malformed request"];

/**
 * Matches the error texts about the query of GET events and of its stream. GET candles has different texts for its own
 * `after` and `limit`.
 */
const EVENTS_PROBLEM =
  /^(?:'(?:types|wait|proof|quotes|every)' |'after' (?:must be a cursor|is ahead)|'after': |'limit' must be an integer between 1 and 500$)/;

/**
 * Matches the error texts about the query of GET candles. They begin with a parameter that is not a field of an order.
 */
const CANDLES_PROBLEM = /^'(?:tradePair|interval|after|limit)' /;

const FIELD_PROBLEM =
  /^(?:bracket_orders\[\d+\]: )?(?:request body |'[^']+' (?:must |is required|is given twice|and ')|only one of '|at least one of '|must be an object)|^Content-Type /i;

function isFixedText({ text }: ErrorRow, error: string): boolean {
  return text === error;
}

/** True for the text of `snapshotUnavailable` with any network name, because the operator chooses the name. */
function isSnapshotText(error: string): boolean {
  const [prefix = "", suffix = ""] = ERRORS.snapshotUnavailable
    .text({ networkName: NAME_PLACEHOLDER, message: "" })
    .split(NAME_PLACEHOLDER);
  return error.startsWith(prefix) && error.endsWith(suffix);
}

const NOT_OFFERED = ERRORS.notOffered.text({ networkName: "", message: "" });

const NAME_PLACEHOLDER = "\n";
