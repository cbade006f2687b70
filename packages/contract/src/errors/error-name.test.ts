import { describe, expect, test } from "vitest";
import { errorNameOf } from "./error-name.ts";
import { ERROR_NAMES, ERRORS, errorText } from "./errors.ts";

/** Examples of the texts that depend on the request. */
const MESSAGES = {
  invalidBody: "'limit_price' is required",
  invalidPairs: "'pairs' names XYZ, which is not a known pair",
  invalidCandles: "'limit' must be an integer between 1 and 1000",
  invalidEvents: "'after' is ahead of the journal (417)",
  invalidTrades: "'after' must be the `next` of a page: the id of a trade",
  invalidHistory: "'since' must be a time in Unix milliseconds",
  notOffered: "this account's network sends no quotes",
  orderRefused: "The market for BTC/USD is closed",
  upstreamFailed: "trade history is being rebuilt",
} as const;
const messages = new Map<string, string>(Object.entries(MESSAGES));

describe("the name of an error [S7.table]", () => {
  test.each(ERROR_NAMES)("the error %s is found by its status and text", (name) => {
    const message = messages.get(name) ?? "";
    const text = errorText(name, { networkName: "Any Name", message });
    expect(errorNameOf(ERRORS[name].status, text)).toBe(name);
  });

  test.each([
    [400, "'trade_pair' XYZ is not a known pair", "orderRefused"],
    [400, "'order_uuid' 7 is not a pending order", "orderRefused"],
    [400, "bracket_orders[1]: 'stop_loss' 5 must be below the entry price 4", "orderRefused"],
    [
      400,
      "bracket_orders[1]: 'stop_loss' must be below 'limit_price' on a LONG order",
      "invalidBody",
    ],
    [400, "'stop_loss' and 'take_profit' must differ", "invalidBody"],
    [400, "'trade.leverage' is given twice", "invalidBody"],
    [400, "only one of 'trailing_percent', 'trailing_value' may be given", "invalidBody"],
    [400, "at least one of 'stop_loss', 'take_profit' must be provided", "invalidBody"],
    [400, "request body is not valid JSON at character 4", "invalidBody"],
    [400, "Content-Type must be application/json", "invalidBody"],
    [400, "'after': history differs at 418", "invalidEvents"],
    [400, "'limit' must be an integer between 1 and 500", "invalidEvents"],
    [400, "'after' must be a time in Unix milliseconds", "invalidCandles"],
    [400, "Malformed request", null],
    [401, "who are you", null],
    [404, "404 page not found", null],
    [408, "Request timeout", null],
    [429, "slow down", null],
    [500, "a proxy's own text", null],
    [503, "Too many connections", null],
  ] as const)("an answer %d %j has the name %s", (status, text, name) => {
    expect(errorNameOf(status, text)).toBe(name);
  });
});
