import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type Harness,
  OPERATOR_TOKEN,
  openHarness,
} from "../../packages/server/src/testing/harness.ts";
import { signedHeaders } from "../../packages/server/src/testing/signed-request.ts";
import { sendBytes } from "./send-bytes.ts";

const ORDERS = "/api/v1/trading/orders";
const ROOM = 256 * 1024;
const SHARE = 128 * 1024;
const CRUMB = "1\r\n{\r\n";

let service: Harness;
let sockets: Socket[] = [];
beforeAll(async () => {
  service = await openHarness({
    trustedProxies: ["127.0.0.1"],
    edge: { bodyBytesInFlightMax: ROOM, bodyBytesPerNetworkMax: SHARE, connectionsMax: 500 },
  });
  return () => service.close();
});
afterEach(async () => {
  const closing = sockets.filter(({ closed }) => !closed).map((socket) => once(socket, "close"));
  for (const socket of sockets) socket.destroy();
  await Promise.all(closing);
  sockets = [];
});

async function hold(bytes: string): Promise<Socket> {
  const socket = connect(service.port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

let nonces = 0;
/** The head of a POST with an existing key. The signature is that of another body. */
function orderHead(lines: readonly string[], from = "203.0.113.1"): string {
  nonces += 1;
  const headers = signedHeaders(service.signer, {
    method: "POST",
    target: ORDERS,
    body: "another",
    timestamp: String(service.time.clock.now()),
    nonce: `hostile-${nonces}`,
  });
  const all = [
    `POST ${ORDERS} HTTP/1.1`,
    "Host: x",
    "Content-Type: application/json",
    `X-Forwarded-For: ${from}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...lines,
  ];
  return `${all.join("\r\n")}\r\n\r\n`;
}

/**
 * Sends a whole body of that many bytes again and again, until the answer has this status. Resolves with the answer.
 */
async function untilStatus(status: number, bytes: number, from: string): Promise<string> {
  for (;;) {
    const head = orderHead([`Content-Length: ${bytes}`], from);
    const [answer] = await sendBytes(service.port, head + " ".repeat(bytes));
    if (answer?.status === status) return `${answer.head}\r\n${answer.body}`;
    expect([401, 500]).toContain(answer?.status);
  }
}

describe("a body in too many pieces", () => {
  test.each([
    ["an order of a known key", () => orderHead(["Transfer-Encoding: chunked"])],
    ["an order with an unknown key", () => chunkedHead("POST", ORDERS)],
    ["a sign-in", () => chunkedHead("POST", "/dashboard/v1/sign-in", "Origin: http://x")],
    [
      "an operator's call",
      () => chunkedHead("POST", "/operator/v1/keys", `Authorization: Bearer ${OPERATOR_TOKEN}`),
    ],
    ["an operator's call with a wrong token", () => chunkedHead("POST", "/operator/v1/keys")],
    ["a read of a document", () => chunkedHead("GET", "/api/v1/openapi.json")],
    ["an unknown path", () => chunkedHead("POST", "/nowhere")],
    ["a path that cannot be decoded", () => chunkedHead("POST", "/%zz")],
  ])("a body in too many pieces ends the connection: %s [S1.envelope]", async (_, head) => {
    const answers = await sendBytes(service.port, head() + CRUMB.repeat(5_000), "keepOpen");
    expect(answers.length).toBeLessThanOrEqual(1);
    for (const { status } of answers) expect([200, 400, 401, 404]).toContain(status);
  });

  test("an order of hundreds of small chunks is received", async () => {
    const trade = {
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      value: 100,
    };
    const body = JSON.stringify({ trade, note: "x".repeat(2_000) });
    const headers = signedHeaders(service.signer, {
      method: "POST",
      target: ORDERS,
      body,
      nonce: "in-chunks",
      timestamp: String(service.time.clock.now()),
    });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `POST ${ORDERS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${lines.join("")}`;
    const chunks = (body.match(/.{1,5}/gs) ?? []).map(
      (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
    );
    await service.quote("BTCUSD", 50_000, 50_010);
    const answers = await sendBytes(
      service.port,
      `${head}Transfer-Encoding: chunked\r\n\r\n${chunks.join("")}0\r\n\r\n`,
    );
    expect(answers.map(({ status }) => status)).toEqual([200]);
  });
});

describe("bodies that use up the memory limit", () => {
  const LARGE = 60_000;
  const half = (from: string): string =>
    orderHead([`Content-Length: ${LARGE}`], from) + " ".repeat(LARGE - 1);

  test("large bodies up to the limit leave room for small bodies and other networks, and the room becomes free again", async () => {
    for (let index = 0; index < 20; index += 1) await hold(half("203.0.113.1"));
    const refused = await untilStatus(500, LARGE, "203.0.113.1");
    expect(refused).toMatch(/\r\nretry-after: 1\r\n/i);
    expect(refused).toContain(
      '{"error":"Too many large requests at a time; nothing was carried out"}',
    );
    await untilStatus(401, 4_000, "203.0.113.1");
    await untilStatus(401, LARGE, "198.51.100.1");
    for (let index = 0; index < 20; index += 1) await hold(half("2001:db8::1"));
    await untilStatus(500, LARGE, "198.51.100.2");
    await untilStatus(401, 4_000, "198.51.100.2");
    for (const socket of sockets) socket.destroy();
    await untilStatus(401, LARGE, "203.0.113.1");
    await untilStatus(401, LARGE, "198.51.100.2");
  });

  test("an order that is rejected for lack of room uses up nothing", async () => {
    for (let index = 0; index < 20; index += 1) await hold(half("203.0.113.1"));
    await untilStatus(500, LARGE, "203.0.113.1");
    const body = " ".repeat(LARGE);
    const order = { method: "POST", body, nonce: "no-room" };
    const headers = { "X-Forwarded-For": "203.0.113.1" };
    expect((await service.call(ORDERS, { ...order, headers })).status).toBe(500);
    const elsewhere = { "X-Forwarded-For": "198.51.100.1" };
    expect((await service.call(ORDERS, { ...order, headers: elsewhere })).status).toBe(400);
  });
});

describe("requests that HTTP forbids", () => {
  test.each([
    ["two hosts", "GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"],
    ["the same host twice", "GET /health HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n"],
    ["an asterisk", "GET * HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["no version", "GET /health\r\n\r\n"],
  ])("a request with %s gets 400 [S1.envelope]", async (_, bytes) => {
    const answers = await sendBytes(service.port, bytes, "keepOpen");
    expect(answers).toMatchObject([{ status: 400, body: '{"error":"Malformed request"}' }]);
  });
});

function chunkedHead(method: string, target: string, ...lines: readonly string[]): string {
  const all = [`${method} ${target} HTTP/1.1`, "Host: x", "Transfer-Encoding: chunked", ...lines];
  return `${all.join("\r\n")}\r\n\r\n`;
}
