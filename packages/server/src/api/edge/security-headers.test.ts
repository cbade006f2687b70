import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../testing/harness.ts";
import { sendRequest } from "../../testing/signed-request.ts";

const WANTED = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;
const BEARER = { Authorization: `Bearer ${OPERATOR_TOKEN}` };

describe("every answer has the security headers for browsers [S1.noBrowser]", () => {
  let service: Harness;
  beforeAll(async () => {
    service = await openHarness();
    return () => service.close();
  });

  test.each([
    ["a read", 200, "GET", "/api/v1/trading/account", {}],
    [
      "a read without credentials",
      401,
      "GET",
      "/api/v1/trading/account",
      { "X-Service-Nonce": "" },
    ],
    ["an order that is refused", 400, "POST", "/api/v1/trading/orders", {}],
    ["the description", 200, "GET", "/api/v1/openapi.json", {}],
    ["the health", 200, "GET", "/health", {}],
    ["a path that leads nowhere", 404, "GET", "/nowhere", {}],
    ["a path that cannot be decoded", 404, "GET", "/%zz", {}],
    ["another method", 405, "DELETE", "/api/v1/trading/account", {}],
    ["an expectation", 400, "GET", "/health", { Expect: "miracles" }],
    ["the operator's interface", 200, "GET", "/operator/v1/accounts", BEARER],
    ["a file of the operator's", 200, "POST", "/operator/v1/backup", BEARER],
    ["the operator's without token", 401, "GET", "/operator/v1/accounts", {}],
    ["the operator's nowhere", 404, "GET", "/operator/v1/nowhere", BEARER],
  ])("the answer to %s has the security headers: %i", async (...row) => {
    const [, status, method, target, headers] = row;
    const reply = await service.call(target, { method, headers });
    expect(reply.status).toBe(status);
    const isDocument = target === "/api/v1/openapi.json" && method === "GET";
    const caching = isDocument ? { "cache-control": "no-cache" } : {};
    expect(reply.headers).toMatchObject({ ...WANTED, ...caching });
    for (const absent of ["server", "x-powered-by", "strict-transport-security"]) {
      expect(reply.headers[absent]).toBeUndefined();
    }
    expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-"))).toEqual([]);
  });

  test("the HSTS header is sent when the operator configures TLS", async () => {
    const tls = await openHarness({ hstsMaxAgeSeconds: 86_400 });
    for (const target of ["/api/v1/trading/account", "/health", "/nowhere"]) {
      const reply = await sendRequest({ port: tls.port, path: target });
      expect(reply.headers).toMatchObject({
        ...WANTED,
        "strict-transport-security": "max-age=86400",
      });
    }
    await tls.close();
  });
});
