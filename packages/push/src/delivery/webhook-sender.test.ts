import { lookup } from "node:dns";
import { setGlobalProxyFromEnv } from "node:http";
import { isIP, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually, until } from "../../../../test/eventually.ts";
import { systemClock, systemStopwatch } from "../../../base/src/clock.ts";
import { systemChance } from "../../../base/src/random.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import { rawAnswer, startRawServer } from "../../../server/src/testing/raw-server.ts";
import type { LookUpName } from "./checked-lookup.ts";
import { generateWebhookSecret } from "./sign-webhook.ts";
import { createWebhookSender, type SenderOptions, type WebhookRequest } from "./webhook-sender.ts";

/** The time at which the tests' clocks and timers start. Dates in the receivers' answers are relative to it. */
const NOW_MS = Date.UTC(2026, 0, 7, 9, 0, 0);
const SECRET = generateWebhookSecret(systemChance);
const BODY = '{"type":"order.filled","data":{"text":"é"}}';

/** Opens a sender that may call this machine. Its deliveries time out only when a test moves its time. */
function open(options: Partial<SenderOptions> = {}) {
  const sender = createWebhookSender({
    rules: { ports: new Set([443]), allowsPrivate: true },
    clock: systemClock,
    stopwatch: systemStopwatch,
    timer: createManualTime(NOW_MS).timer,
    ownListeners: () => [],
    ...options,
  });
  onTestFinished(() => sender.close());
  return sender;
}

const to = (url: string, more: Partial<WebhookRequest> = {}): WebhookRequest => ({
  url: `${url}/hook?token=abc`,
  id: "evt_1",
  body: BODY,
  secrets: [SECRET],
  sign: null,
  ...more,
});

const failed = (error: string) => ({
  status: null,
  latencyMs: expect.any(Number),
  answer: null,
  error,
  retryAfterMs: null,
});
const answered = (status: number, answer: string | null, retryAfterMs: number | null = null) => ({
  status,
  latencyMs: expect.any(Number),
  answer,
  error: null,
  retryAfterMs,
});

/** A lookup that finds these addresses for every name. */
const finds =
  (...addresses: readonly string[]): LookUpName =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );

type Answering = (socket: Socket) => void;
const writes =
  (bytes: string | Uint8Array): Answering =>
  (socket) =>
    void socket.write(bytes);
const says = (status: string, body = "", headers: readonly string[] = []): Answering =>
  writes(rawAnswer(body, { status, headers }));

function endless(socket: Socket): void {
  socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  const chunk = `1000\r\n${"x".repeat(4096)}\r\n`;
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", more);
  more();
}

const IN_A_MINUTE = "Retry-After: Wed, 07 Jan 2026 09:01:00 GMT";

/** Answers of a receiver, each with the result of the delivery. */
const ANSWERS: readonly (readonly [string, Answering, object])[] = [
  ["200", says("200 OK", '{"ok":true}'), answered(200, '{"ok":true}')],
  ["204", writes("HTTP/1.1 204 No Content\r\n\r\n"), answered(204, "")],
  ["410", says("410 Gone", "gone"), answered(410, "gone")],
  ["429 and seconds", says("429 Too Many", "", ["Retry-After: 90"]), answered(429, "", 90_000)],
  ["429 and a date", says("429 Too Many", "", [IN_A_MINUTE]), answered(429, "", 60_000)],
  ["503 and a date", says("503 Unavailable", "", [IN_A_MINUTE]), answered(503, "", 60_000)],
  ["500 and seconds", says("500 Oops", "", ["Retry-After: 90"]), answered(500, "")],
  [
    "200 after 102",
    writes(`HTTP/1.1 102 P\r\n\r\n${rawAnswer("a").toString()}`),
    answered(200, "a"),
  ],
  ["a secret", says("200 OK", `{"secret":"${SECRET}"}`), answered(200, '{"secret":"***"}')],
  [
    "a compressed body",
    writes(rawAnswer(gzipSync("a"), { headers: ["Content-Encoding: gzip"] })),
    answered(200, null),
  ],
  ["an endless body", endless, answered(200, "x".repeat(512))],
  [
    "a body that is cut off",
    (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf"),
    answered(200, "half"),
  ],
  [
    "a body that is not valid HTTP",
    writes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n"),
    answered(200, ""),
  ],
  ["a reset", (socket) => void socket.resetAndDestroy(), failed("reset")],
  ["the end", (socket) => void socket.end(), failed("reset")],
  ["half a head", (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-"), failed("reset")],
  ["something other than HTTP", writes("SSH-2.0-OpenSSH_9.9\r\n"), failed("reset")],
  ["an endless head", writes(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(70_000)}`), failed("reset")],
  [
    "another protocol",
    writes("HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
    failed("reset"),
  ],
];

describe("a delivery", () => {
  test.each(ANSWERS)("a delivery ends with its result: %s", async (_title, answer, result) => {
    const receiver = await startRawServer(answer);
    const sender = open({ clock: createManualTime(NOW_MS).clock });
    expect(await sender.send(to(receiver.url))).toEqual(result);
    expect(receiver.requests).toHaveLength(1);
  });

  test("a delivery has the standard's headers, two of its own, and those of HTTP", async () => {
    const receiver = await startRawServer(says("200 OK"));
    await open().send(to(receiver.url));
    const [request] = receiver.requests;
    const [head = "", body = ""] = (request?.text ?? "").split("\r\n\r\n");
    const headers = new Headers(
      head
        .split("\r\n")
        .slice(1)
        .map((line): [string, string] => [line.split(": ")[0] ?? "", line.split(": ")[1] ?? ""]),
    );
    expect(request?.line).toBe("POST /hook?token=abc HTTP/1.1");
    expect(Object.fromEntries(headers)).toEqual({
      "webhook-id": "evt_1",
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      "webhook-signature": expect.stringMatching(/^v1,\S{44}$/),
      "content-type": "application/json",
      "user-agent": "Propgate-Webhooks",
      "content-length": String(Buffer.byteLength(BODY)),
      host: new URL(receiver.url).host,
      connection: "keep-alive",
    });
    const received = Buffer.from(body, "latin1").toString("utf8");
    const verified = new Webhook(SECRET).verify(received, Object.fromEntries(headers));
    expect(verified).toEqual(JSON.parse(BODY));
  });

  test("a delivery follows no redirect", async () => {
    const inner = await startRawServer(says("200 OK"));
    const receiver = await startRawServer(says("302 Found", "", [`Location: ${inner.url}/x`]));
    expect(await open().send(to(receiver.url))).toEqual(answered(302, ""));
    expect(inner.connections()).toBe(0);
  });

  test("a delivery without rules goes to any address, and one with rules does not", async () => {
    const receiver = await startRawServer(says("200 OK"));
    const request = to(receiver.url.replace("127.0.0.1", "0.0.0.0"));
    expect(await open().send(request)).toEqual(failed("address"));
    expect(await open({ rules: null }).send(request)).toEqual(answered(200, ""));
  });

  test("a delivery uses no proxy of the environment", async () => {
    const proxy = await startRawServer(says("200 OK", "proxy"));
    const restore = setGlobalProxyFromEnv({ http_proxy: proxy.url, https_proxy: proxy.url });
    onTestFinished(restore);
    const receiver = await startRawServer(says("200 OK", "receiver"));
    expect(await open().send(to(receiver.url))).toEqual(answered(200, "receiver"));
    expect(proxy.connections()).toBe(0);
  });

  test("a delivery that is not answered in ten seconds is a timeout", async () => {
    const time = createManualTime(NOW_MS);
    const receiver = await startRawServer((socket) => void socket.write("HTTP/1.1 200 OK\r\n"));
    const delivery = open({ timer: time.timer }).send(to(receiver.url));
    await until(() => receiver.requests.length === 1);
    await time.pass(9_999);
    await time.pass(1);
    expect(await delivery).toEqual(failed("timeout"));
  });

  test("a delivery whose body does not end is read for one second", async () => {
    const time = createManualTime(NOW_MS);
    const ends: number[] = [];
    const receiver = await startRawServer(
      writes("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf"),
    );
    const sender = open({
      timer: {
        after(ms, call) {
          ends.push(ms);
          return time.timer.after(ms, call);
        },
      },
    });
    const delivery = sender.send(to(receiver.url));
    await until(() => ends.includes(1_000));
    await time.pass(1_000);
    expect(await delivery).toEqual(answered(200, "half"));
  });

  test.each<readonly [string, LookUpName]>([
    ["the name is not found", () => {}],
    ["TLS is not answered", finds("127.0.0.1")],
  ])("a delivery times out when for three seconds %s", async (_title, lookUpName) => {
    const time = createManualTime(NOW_MS);
    const receiver = await startRawServer(() => {});
    const names: string[] = [];
    const sender = open({
      timer: time.timer,
      lookUpName(name, ...rest) {
        names.push(name);
        lookUpName(name, ...rest);
      },
    });
    const { port } = new URL(receiver.url);
    const delivery = sender.send(to(`https://a.example:${port}`));
    await until(() => names.length === 1);
    await time.pass(3_000);
    expect(await delivery).toEqual(failed("timeout"));
    expect(receiver.requests).toEqual([]);
  });

  test("a delivery to a port without a listener has no connection", async () => {
    const receiver = await startRawServer(says("200 OK"));
    await receiver.close();
    expect(await open().send(to(receiver.url))).toEqual(failed("connect"));
  });

  test.each<readonly [string, LookUpName]>([
    // A label has at most 63 characters, so the lookup fails on this machine without a query.
    ["the system does not find", lookup],
    ["has no address", finds()],
  ])("a delivery to a name that %s is an error of the lookup", async (_title, lookUpName) => {
    const url = `http://${"a".repeat(64)}.example`;
    expect(await open({ lookUpName }).send(to(url))).toEqual(failed("dns"));
  });
});

describe("the connections of a sender", () => {
  test("the connections of a sender are kept between deliveries", async () => {
    const receiver = await startRawServer(says("200 OK"));
    const sender = open();
    for (const id of ["evt_1", "evt_2", "evt_3"]) {
      expect(await sender.send(to(receiver.url, { id }))).toEqual(answered(200, ""));
    }
    expect(receiver.connections()).toBe(1);
  });

  test("connections that a receiver closed meanwhile do not fail a delivery", async () => {
    const receiver = await startRawServer((socket, { connection }) => {
      if (receiver.requests.length === 2 && connection === 1) socket.resetAndDestroy();
      else socket.write(rawAnswer(""));
    });
    const sender = open();
    expect(await sender.send(to(receiver.url))).toEqual(answered(200, ""));
    expect(await sender.send(to(receiver.url))).toEqual(answered(200, ""));
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  });

  test("the connections of a sender are not used again for a delivery whose answer is not valid HTTP", async () => {
    const receiver = await startRawServer((socket) => {
      socket.write(receiver.requests.length === 1 ? rawAnswer("") : "SSH-2.0-OpenSSH_9.9\r\n");
    });
    const sender = open();
    expect(await sender.send(to(receiver.url))).toEqual(answered(200, ""));
    expect(await sender.send(to(receiver.url))).toEqual(failed("reset"));
    expect(receiver.requests).toHaveLength(2);
  });

  test("the connections of a sender are not kept when an answer was not read to its end", async () => {
    const receiver = await startRawServer(endless);
    const sender = open();
    await sender.send(to(receiver.url));
    await eventually(() => expect(receiver.ends).toHaveLength(1));
    await sender.send(to(receiver.url));
    expect(receiver.connections()).toBe(2);
  });

  test("the connections of a sender end with the sender, and so do its deliveries", async () => {
    const receiver = await startRawServer((socket) => void socket.write("HTTP/1.1 200 OK\r\n"));
    const reading = await startRawServer(writes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na"));
    const sender = open();
    const deliveries = [sender.send(to(receiver.url)), sender.send(to(reading.url))];
    await until(() => receiver.requests.length + reading.requests.length === 2);
    await sender.close();
    const [waiting, read] = await Promise.all(deliveries);
    expect(waiting).toEqual(failed("reset"));
    expect([200, null]).toContain(read?.status);
    expect(await sender.send(to(receiver.url))).toEqual(failed("reset"));
    expect(receiver.connections()).toBe(1);
    await eventually(() => expect(receiver.ends).toHaveLength(1));
  });
});
