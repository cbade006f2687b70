import { describe, expect, test } from "vitest";
import {
  ADDITIVE_ENDPOINT_NAMES,
  ADDITIVE_ENDPOINTS,
  matchEndpoint,
  receiptNonce,
  receiptPath,
  SIGNED_ENDPOINT_NAMES,
  SIGNED_ENDPOINTS,
} from "../endpoints.ts";
import { ERRORS, errorsOf } from "./errors.ts";

describe("errors [S7.table]", () => {
  test.each(SIGNED_ENDPOINT_NAMES)(
    "%s has an error for each of its listed statuses [S7.statuses]",
    (name) => {
      const reached = new Set<number>(errorsOf(name).map((error) => ERRORS[error].status));
      expect([...reached].toSorted((left, right) => left - right)).toEqual(
        SIGNED_ENDPOINTS[name].errorStatuses,
      );
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

  test("only prices, the preview and the switch can be missing from an account's network [D9.notOffered]", () => {
    const missing = SIGNED_ENDPOINT_NAMES.filter((name) => errorsOf(name).includes("notOffered"));
    expect(missing).toEqual(["getQuotes", "getCandles", "previewOrder", "cancelAllAfter"]);
  });

  test("a preview is a read that takes an order's body [D9.preview]", () => {
    const preview = errorsOf("previewOrder");
    for (const name of ["rateLimited", "missingSize", "orderRefused"] as const)
      expect(preview).toContain(name);
    for (const name of ["tooManyFailedRequests", "unknownFate", "networkDown"] as const)
      expect(preview).not.toContain(name);
  });
});

describe("endpoints", () => {
  test("only the dead man's switch writes among the additive endpoints [D9.additive D9.cancelAllAfter]", () => {
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
      [
        "GET",
        "/api/v1/trading/events/stream",
        "trade:read",
        "accountId,after,types,proof,quotes,every",
      ],
      ["GET", "/api/v1/trading/orders/{orderUuid}", "trade:read", "accountId,after"],
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
