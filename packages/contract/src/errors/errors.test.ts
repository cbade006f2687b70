import { describe, expect, test } from "vitest";
import {
  ADDITIVE_ENDPOINT_NAMES,
  ADDITIVE_ENDPOINTS,
  ENDPOINT_NAMES,
  ENDPOINTS,
  matchEndpoint,
  receiptNonce,
  receiptPath,
  SIGNED_ENDPOINT_NAMES,
  SIGNED_ENDPOINTS,
} from "../endpoints.ts";
import { ERROR_NAMES, ERRORS, errorsOf, errorText } from "./errors.ts";

const parts = { networkName: "Acme", message: "what is wrong" };

/** Copied from the specification's table and its order of checks, not from the code. */
const EXPECTED = [
  ["notFound", 404, "Not found", "never"],
  ["methodNotAllowed", 405, "Method not allowed", "never"],
  ["bodyTooLarge", 400, "request body is larger than 64 KiB", "afterFixing"],
  ["missingCredentials", 401, "Missing credentials", "afterFixing"],
  ["invalidTimestamp", 401, "Invalid timestamp", "afterFixing"],
  ["timestampInvalid", 401, "Timestamp invalid", "afterFixing"],
  ["invalidKey", 401, "Invalid key", "never"],
  ["decryptFailed", 500, "Decrypt failed", "withBackoff"],
  ["badSignature", 401, "Bad signature", "afterFixing"],
  ["nonceUsed", 409, "Nonce", "afterFixing"],
  ["insufficientScope", 403, "insufficient_scope", "never"],
  ["rateLimited", 429, "rate_limited", "withBackoff"],
  ["tooManyReceipts", 429, "too_many_receipts", "withBackoff"],
  ["tooManyFailedRequests", 429, "too_many_failed_requests", "afterFixing"],
  ["malformedAccountId", 400, "'accountId' must be a uuid", "afterFixing"],
  ["differentAccount", 403, "This API key is only valid for a different account", "never"],
  ["accountNotFound", 404, "Account not found", "never"],
  ["notOffered", 404, "Not offered: what is wrong", "never"],
  ["orderNotFound", 404, "Order not found", "never"],
  ["invalidLimit", 400, "limit must be an integer between 1 and 200", "afterFixing"],
  ["invalidCursor", 400, "invalid cursor", "afterFixing"],
  ["invalidPairs", 400, "what is wrong", "afterFixing"],
  ["invalidCandles", 400, "what is wrong", "afterFixing"],
  ["invalidEvents", 400, "what is wrong", "afterFixing"],
  ["invalidHistory", 400, "what is wrong", "afterFixing"],
  ["invalidNonce", 400, "'nonce' must be 1 to 128 printable ASCII characters", "afterFixing"],
  ["invalidBody", 400, "what is wrong", "afterFixing"],
  ["missingSize", 400, "'leverage', 'value', or 'quantity' must be provided", "afterFixing"],
  [
    "accountNotReady",
    400,
    "Account is not ready for trading (missing subaccount_id)",
    "withBackoff",
  ],
  ["orderRefused", 400, "what is wrong", "afterFixing"],
  [
    "unknownFate",
    500,
    "The trading network did not answer in time; the order may or may not have been accepted. Check positions and orders before retrying",
    "withBackoff",
  ],
  [
    "networkDown",
    500,
    "The trading network is unreachable; the order was not accepted",
    "withBackoff",
  ],
  [
    "notCarriedOut",
    500,
    "The order was not decided in time; it was not carried out and never will be",
    "withBackoff",
  ],
  ["upstreamFailed", 502, "what is wrong", "withBackoff"],
  [
    "snapshotUnavailable",
    503,
    "Account snapshot temporarily unavailable (Acme validator unreachable); retry shortly",
    "withBackoff",
  ],
  ["internal", 500, "Internal error", "withBackoff"],
];

describe("errors [S7.table]", () => {
  test("status, text, retry class and precedence are those of the specification [D2.order] [D1.network]", () => {
    const actual = ERROR_NAMES.map((name) => [
      name,
      ERRORS[name].status,
      errorText(name, parts),
      ERRORS[name].retry,
    ]);
    expect(actual).toEqual(EXPECTED);
  });

  test.each([
    ["getAccount", [401, 403, 404, 409, 429, 500, 502, 503]],
    ["getPositions", [401, 403, 404, 409, 429, 500, 502, 503]],
    ["getOrders", [401, 403, 404, 409, 429, 500, 502, 503]],
    ["getTrades", [401, 403, 404, 409, 429, 500, 502, 503]],
    ["getPayouts", [400, 401, 403, 404, 409, 429, 500, 502, 503]],
    ["placeOrder", [400, 401, 403, 404, 409, 429, 500]],
    ["getInstruments", [401, 403, 404, 409, 429, 500, 503]],
    ["getQuotes", [400, 401, 403, 404, 409, 429, 500, 503]],
    ["getCandles", [400, 401, 403, 404, 409, 429, 500, 503]],
    ["getReceipt", [400, 401, 403, 404, 409, 429, 500, 503]],
    ["getEvents", [400, 401, 403, 404, 409, 429, 500, 503]],
    ["getOrder", [401, 403, 404, 409, 429, 500, 503]],
    ["getOrderHistory", [400, 401, 403, 404, 409, 429, 500, 503]],
    ["getFills", [400, 401, 403, 404, 409, 429, 500, 503]],
    ["previewOrder", [400, 401, 403, 404, 409, 429, 500, 503]],
  ] as const)(
    "%s answers with its listed statuses and no other [S7.statuses]",
    (name, statuses) => {
      expect(SIGNED_ENDPOINTS[name].errorStatuses).toEqual(statuses);
      const reached = new Set(errorsOf(name).map((error) => ERRORS[error].status));
      expect([...reached].toSorted((left, right) => left - right)).toEqual(statuses);
    },
  );

  test("only orders can be stopped by the guard, and only reads by the read budget [S8.orders]", () => {
    expect(errorsOf("getAccount")).not.toContain("tooManyFailedRequests");
    expect(errorsOf("placeOrder")).not.toContain("rateLimited");
  });

  test("receipts have a budget of their own [D10.receiptBudget]", () => {
    expect(errorsOf("getReceipt")).toContain("tooManyReceipts");
    expect(errorsOf("getReceipt")).not.toContain("rateLimited");
    expect(errorsOf("getAccount")).not.toContain("tooManyReceipts");
  });

  test("only prices, records of orders, the preview and the switch can be missing from an account's network [D9.notOffered]", () => {
    const missing = SIGNED_ENDPOINT_NAMES.filter((name) => errorsOf(name).includes("notOffered"));
    expect(missing).toEqual([
      "getQuotes",
      "getCandles",
      "getEvents",
      "getOrder",
      "getOrderHistory",
      "getFills",
      "previewOrder",
      "cancelAllAfter",
    ]);
  });

  test("a preview is a read that takes an order's body [D9.preview]", () => {
    const preview = errorsOf("previewOrder");
    for (const name of ["rateLimited", "missingSize", "orderRefused"] as const)
      expect(preview).toContain(name);
    for (const name of ["tooManyFailedRequests", "unknownFate", "networkDown"] as const)
      expect(preview).not.toContain(name);
  });
});

describe("endpoints [S4.endpoints]", () => {
  test("method, path and scope of the specification's six [S9.prefix]", () => {
    expect(
      ENDPOINT_NAMES.map((name) => {
        const { method, path, scope, query } = ENDPOINTS[name];
        return [method, path, scope, query.join()];
      }),
    ).toEqual([
      ["GET", "/api/v1/trading/account", "trade:read", "accountId"],
      ["GET", "/api/v1/trading/positions", "trade:read", "accountId"],
      ["GET", "/api/v1/trading/orders", "trade:read", "accountId"],
      ["GET", "/api/v1/trading/trades", "trade:read", "accountId"],
      ["GET", "/api/v1/trading/payouts", "trade:read", "accountId,limit,cursor"],
      ["POST", "/api/v1/trading/orders", "trade:place", ""],
    ]);
    expect(Object.keys(ENDPOINTS)).toEqual([...ENDPOINT_NAMES]);
  });

  test("of the additive endpoints only the dead man's switch writes [D9.additive D9.cancelAllAfter]", () => {
    expect(
      ADDITIVE_ENDPOINT_NAMES.map((name) => {
        const { method, path, scope, query } = ADDITIVE_ENDPOINTS[name];
        return [method, path, scope, query.join()];
      }),
    ).toEqual([
      ["GET", "/api/v1/trading/instruments", "trade:read", "accountId"],
      ["GET", "/api/v1/trading/quotes", "trade:read", "accountId,pairs"],
      ["GET", "/api/v1/trading/candles", "trade:read", "accountId,tradePair,interval,after,limit"],
      ["GET", "/api/v1/trading/receipts/{nonce}", "trade:read", "accountId"],
      ["GET", "/api/v1/trading/events", "trade:read", "accountId,after,limit,types,wait,proof"],
      ["GET", "/api/v1/trading/orders/{orderUuid}", "trade:read", "accountId"],
      [
        "GET",
        "/api/v1/trading/order-history",
        "trade:read",
        "accountId,after,limit,tradePair,since",
      ],
      ["GET", "/api/v1/trading/fills", "trade:read", "accountId,after,limit,tradePair,since"],
      ["POST", "/api/v1/trading/preview", "trade:read", ""],
      ["POST", "/api/v1/trading/cancel-all-after", "trade:place", ""],
    ]);
    expect(Object.keys(SIGNED_ENDPOINTS)).toEqual([...SIGNED_ENDPOINT_NAMES]);
  });

  test.each(["abc", "a/b c?d=%", "~!*'()", "%2F", "x".repeat(128)])(
    "the path of nonce %s leads back to it [D9.receipts]",
    (nonce) => {
      const path = receiptPath(nonce);
      expect(matchEndpoint("GET", path)).toEqual({ kind: "endpoint", name: "getReceipt" });
      expect(receiptNonce(path)).toBe(nonce);
    },
  );

  test.each([
    "/api/v1/trading/receipts/%zz",
    "/api/v1/trading/receipts/",
    "/api/v1/trading/quotes",
  ])("%s is not the path of a receipt [D9.receipts]", (path) => {
    expect(receiptNonce(path)).toBeNull();
  });

  test.each([
    ["GET", "/api/v1/trading/orders", { kind: "endpoint", name: "getOrders" }],
    ["POST", "/api/v1/trading/orders", { kind: "endpoint", name: "placeOrder" }],
    ["DELETE", "/api/v1/trading/orders", { kind: "wrongMethod", allow: ["GET", "POST"] }],
    ["POST", "/api/v1/trading/account", { kind: "wrongMethod", allow: ["GET"] }],
    ["get", "/api/v1/trading/account", { kind: "wrongMethod", allow: ["GET"] }],
    ["GET", "/api/v1/trading/account/", { kind: "unknownPath" }],
    ["GET", "/", { kind: "unknownPath" }],
    ["POST", "/api/v1/trading/preview", { kind: "endpoint", name: "previewOrder" }],
    ["GET", "/api/v1/trading/preview", { kind: "wrongMethod", allow: ["POST"] }],
    ["DELETE", "/api/v1/trading/receipts/n", { kind: "wrongMethod", allow: ["GET"] }],
    ["GET", "/api/v1/trading/receipts", { kind: "unknownPath" }],
    ["GET", "/api/v1/trading/receipts/", { kind: "unknownPath" }],
    ["GET", "/api/v1/trading/receipts/a/b", { kind: "unknownPath" }],
  ])("%s %s finds the endpoint of the table [D2.routes]", (method, path, match) => {
    expect(matchEndpoint(method, path)).toEqual(match);
  });
});
