import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../testing/harness.ts";
import { sendRequest, signedHeaders } from "../testing/signed-request.ts";

const ACCOUNT = "/api/v1/trading/account";
const ORDERS = "/api/v1/trading/orders";

describe("the edge", () => {
  let service: Harness;
  beforeAll(async () => {
    service = await openHarness();
    return () => service.close();
  });

  test.each(["/", "/api/v1/trading", `${ACCOUNT}/`, "/api/v2/trading/account", "/%zz"])(
    "%s is not found [D2.routes]",
    async (target) => {
      const reply = await service.call(target);
      expect([reply.status, reply.text]).toEqual([404, '{"error":"Not found"}']);
    },
  );

  test.each([
    ["POST", ACCOUNT, "GET"],
    ["HEAD", ACCOUNT, "GET"],
    ["OPTIONS", ACCOUNT, "GET"],
    ["DELETE", ORDERS, "GET, POST"],
    ["PUT", ORDERS, "GET, POST"],
    ["POST", "/api/v1/openapi.json", "GET"],
    ["POST", "/api/v1/time", "GET"],
    ["GET", "/api/v1/trading/preview", "POST"],
    ["DELETE", "/api/v1/trading/receipts/n", "GET"],
  ])("%s %s answers 405 with the allowed methods [D2.routes]", async (method, target, allow) => {
    const reply = await service.call(target, { method });
    expect([reply.status, reply.headers.allow]).toEqual([405, allow]);
    if (method !== "HEAD") expect(reply.text).toBe('{"error":"Method not allowed"}');
  });

  test("no CORS header is ever sent [S1.noBrowser]", async () => {
    const headers = { Origin: "https://bot.example", "Access-Control-Request-Method": "POST" };
    for (const method of ["GET", "OPTIONS", "POST"]) {
      const reply = await service.call(ORDERS, { method, headers });
      expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-"))).toEqual([]);
    }
  });

  test("the OpenAPI document, health and readiness are public [S9.openapi]", async () => {
    const openapi = await service.call("/api/v1/openapi.json", { signer: null });
    expect([openapi.status, openapi.json()]).toMatchObject([200, { openapi: "3.1.0" }]);
    const health = await service.call("/health", { signer: null });
    // Clients without a key can read this answer, so it shows nothing about the services behind this one.
    expect([health.status, health.json()]).toEqual([200, { status: "ok" }]);
    const ready = await service.call("/ready", { signer: null });
    expect([ready.status, ready.json()]).toEqual([200, { status: "ready" }]);
    expect((await service.call("/ready", { signer: null, method: "POST" })).status).toBe(405);
  });

  test("the OpenAPI document is not sent again to a client that has it [S9.openapi]", async () => {
    const first = await service.call("/api/v1/openapi.json", { signer: null });
    const { etag = "" } = first.headers;
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await service.call("/api/v1/openapi.json", {
      signer: null,
      headers: { "If-None-Match": etag },
    });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
  });

  test("the clock is public and uses no budget [D9.time]", async () => {
    for (let call = 0; call < 200; call += 1) {
      const time = await service.call("/api/v1/time", { signer: null });
      expect([time.status, time.json()]).toEqual([
        200,
        { success: true, data: { serverTimeMs: 1_767_614_400_000, skewAllowedMs: 300_000 } },
      ]);
    }
    expect((await service.call(ACCOUNT)).status).toBe(200);
  });

  test("the signature covers the target as sent, not as decoded [S5.canonical]", async () => {
    const signed = `${ACCOUNT}?accountId=${service.accountId}`;
    const escaped = `${ACCOUNT}?accountId=%${service.accountId.charCodeAt(0).toString(16)}${service.accountId.slice(1)}`;
    expect((await service.call(escaped)).status).toBe(200);
    const swapped = await service.call(signed, { headers: headersFor(escaped) });
    expect(swapped.status).toBe(401);
    expect(swapped.headers["x-service-seen-target"]).toBe(signed);
  });

  test("the body of a GET counts in the hash and is otherwise ignored [D2.getBody]", async () => {
    expect((await service.call(ACCOUNT, { body: "anything" })).status).toBe(200);
  });

  test("a signature is accepted only in its canonical spelling [D2.6]", async () => {
    const headers = headersFor(ACCOUNT);
    const signature = headers["X-Service-Signature"] ?? "";
    for (const other of [
      signature.replace("v1=", ""),
      signature.replace("v1=", "v2="),
      signature.replace(/=$/, ""),
      `${signature} `.replace(" ", "="),
      nextBitsSet(signature),
    ]) {
      const reply = await service.call(ACCOUNT, {
        headers: { ...headers, "X-Service-Signature": other },
      });
      expect([other, reply.status]).toEqual([other, 401]);
    }
  });

  test("the Date header has the service's time [D2.help]", async () => {
    const reply = await service.call(ACCOUNT);
    expect(reply.headers.date).toBe("Mon, 05 Jan 2026 12:00:00 GMT");
  });

  test("every answer has its own request id [D2.help]", async () => {
    const ids = await Promise.all(
      [ACCOUNT, "/nowhere"].map(async (target) => {
        const reply = await service.call(target);
        return reply.headers["x-service-request-id"];
      }),
    );
    expect(new Set(ids).size).toBe(2);
  });

  test.each([
    ["no HTTP", "nonsense\r\n\r\n"],
    ["a broken header", "GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n"],
    ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
  ])("%s gets 400 in the envelope [S1.envelope]", async (_, bytes) => {
    const answer = await sendBytes(service.port, bytes);
    expect(answer.startsWith("HTTP/1.1 400 ")).toBe(true);
    expect(answer.endsWith('\r\n\r\n{"error":"Malformed request"}')).toBe(true);
  });

  test("a body of a strange content type is still judged by the gates first [D2.order]", async () => {
    const reply = await sendRequest(
      {
        port: service.port,
        method: "POST",
        path: ORDERS,
        headers: { "Content-Type": ";;;", "Content-Length": "2" },
      },
      "{}",
    );
    expect([reply.status, reply.text]).toEqual([401, '{"error":"Missing credentials"}']);
  });

  function headersFor(target: string): Record<string, string> {
    return signedHeaders(service.signer, {
      method: "GET",
      target,
      body: "",
      timestamp: String(service.time.clock.now()),
      nonce: `by-hand-${target.length}`,
    });
  }
});

/** The same bytes in base64, with a bit set after the last byte. */
function nextBitsSet(signature: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const last = signature.at(-2) ?? "A";
  return `${signature.slice(0, -2)}${alphabet[alphabet.indexOf(last) + 1]}=`;
}

function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}
