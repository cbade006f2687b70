import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../../../../test/eventually.ts";
import { type Clock, systemTimer } from "../../../../../base/src/clock.ts";
import { openLog } from "../../../../../base/src/log.ts";
import { createSeededChance } from "../../../../../base/src/random.ts";
import {
  madeCatalogue,
  madeInstrument,
} from "../../../../../server/src/testing/made-instrument.ts";
import {
  createManualTime,
  type ManualTime,
} from "../../../../../server/src/testing/manual-time.ts";
import {
  type Reply,
  sendRequest,
  signedHeaders,
} from "../../../../../server/src/testing/signed-request.ts";
import type { OfferedQuote } from "../../quotes/numbered-quote.ts";
import { createPushSource, type PushSource } from "./push-source.ts";
import { pushablePairs } from "./pushed-quote.ts";

const TOKEN = "a-token-of-at-least-24-characters";
const PATH = "/prices/v1/quotes";
const START_MS = 1_800_000_000_000;
const line = (over: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ tradePair: "BTCUSD", bid: 100, ask: 101, ...over });

interface Setting {
  readonly source: PushSource;
  readonly time: ManualTime;
  readonly offered: OfferedQuote[];
  readonly log: { readonly msg: string; readonly level: number; readonly count?: number }[];
  readonly port: number;
}

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function open(
  over: {
    readonly token?: string | null;
    readonly port?: number;
    readonly timer?: "system" | "manual";
    readonly exempt?: readonly string[];
  } = {},
): Promise<Setting> {
  const time = createManualTime(START_MS);
  const offered: OfferedQuote[] = [];
  const log: Setting["log"][number][] = [];
  const { token = TOKEN } = over;
  const clock: Clock = time.clock;
  const source = createPushSource({
    listen: { host: "127.0.0.1", port: over.port ?? 0 },
    token,
    exempt: over.exempt ?? ["127.0.0.0/8"],
    brand: "Service",
    pairs: pushablePairs(madeCatalogue(madeInstrument("BTCUSD"), madeInstrument("EURUSD"))),
    clock,
    timer: over.timer === "manual" ? time.timer : systemTimer,
    log: openLog("info", { secrets: [TOKEN], write: (text) => void log.push(JSON.parse(text)) }),
  });
  cleanUps.push(() => source.stop());
  await source.start({ offer: (quote) => void offered.push(quote) });
  const port = Number(new URL(source.origin() ?? "http://127.0.0.1:0").port);
  return { source, time, offered, log, port };
}

function push(
  { port }: Pick<Setting, "port">,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return sendRequest(
    {
      port,
      host: "127.0.0.1",
      method: "POST",
      path: PATH,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/x-ndjson",
        ...headers,
      },
    },
    body,
  );
}

describe("quotes over POST", () => {
  test("quotes over POST are offered with the source's name, both times and both sides", async () => {
    const setting = await open();
    const reply = await push(setting, `${line({ madeAtMs: START_MS - 5 })}\n`);
    expect([reply.status, reply.json()]).toEqual([200, { taken: 1, rejected: {}, first: null }]);
    expect(setting.offered).toEqual([
      {
        source: "push",
        pair: "BTCUSD",
        bid: 100,
        ask: 101,
        madeAtMs: START_MS - 5,
        receivedAtMs: START_MS,
      },
    ]);
  });

  test.each([
    ["one object", line()],
    ["an array", `[${line()}]`],
  ])("quotes over POST may be %s as JSON", async (_name, body) => {
    const setting = await open();
    const reply = await push(setting, body, { "content-type": "application/json; charset=utf-8" });
    expect([reply.status, reply.json()]).toMatchObject([200, { taken: 1 }]);
  });

  test("quotes over POST are all taken beside wrong ones, which are counted by reason; the first is named", async () => {
    const setting = await open();
    const body = [
      line(),
      line({ tradePair: "DOGEMOON" }),
      "{",
      line({ bid: 102 }),
      line({ bid: 99 }),
    ];
    const reply = await push(setting, body.join("\n"));
    expect([reply.status, reply.json()]).toEqual([
      200,
      {
        taken: 2,
        rejected: { unknownPair: 1, notJson: 1, crossed: 1 },
        first: {
          line: 2,
          reason: "unknownPair",
          field: "tradePair",
          message: "tradePair is not an instrument whose prices are pushed",
        },
      },
    ]);
    expect(setting.offered.map(({ bid }) => bid)).toEqual([100, 99]);
  });

  test("quotes over POST get a 400 when not one was taken", async () => {
    const setting = await open();
    const reply = await push(setting, line({ ask: null }));
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { taken: 0, first: { line: 1, field: "ask", reason: "missingField" } },
    ]);
    expect((await push(setting, "")).status).toBe(400);
  });

  test("quotes over POST are taken while their stream is open, before its end", async () => {
    const setting = await open();
    const stream = request({
      port: setting.port,
      method: "POST",
      path: PATH,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/x-ndjson" },
    });
    const answer = new Promise<string>((resolve, reject) => {
      stream.on("error", reject);
      stream.on("response", (response) => {
        let text = "";
        response.on("data", (piece) => {
          text += piece;
        });
        response.on("end", () => resolve(text));
      });
    });
    stream.write(`${line()}\n${line({ bid: 99 }).slice(0, 10)}`);
    await eventually(() => expect(setting.offered).toHaveLength(1));
    stream.write(`${line({ bid: 99 }).slice(10)}\n`);
    await eventually(() => expect(setting.offered).toHaveLength(2));
    stream.end();
    expect(JSON.parse(await answer)).toMatchObject({ taken: 2 });
  });

  test("quotes over POST that a cut leaves half are not taken, and the whole lines before are", async () => {
    const setting = await open();
    const socket = connect(setting.port, "127.0.0.1");
    const half = line({ bid: 99 }).slice(0, 20);
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/x-ndjson\r\ncontent-length: 1000\r\n\r\n${line()}\n${half}`,
    );
    await eventually(() => expect(setting.offered).toHaveLength(1));
    socket.destroy();
    expect((await push(setting, line({ bid: 98 }))).status).toBe(200);
    expect(setting.offered.map(({ bid }) => bid)).toEqual([100, 98]);
  });

  test("quotes over POST are the whole lines before a cut, wherever the cut is", async () => {
    const setting = await open();
    const body = [99, 98, 97].map((bid) => `${line({ bid })}\n`).join("");
    const head = `POST ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/x-ndjson\r\ncontent-length: 1000\r\n\r\n`;
    for (let cut = 0; cut <= body.length; cut += 7) {
      setting.offered.length = 0;
      const socket = connect(setting.port, "127.0.0.1");
      const closed = new Promise((resolve) => socket.on("close", resolve));
      socket.on("error", () => {});
      socket.resume();
      socket.end(head + body.slice(0, cut));
      await closed;
      const whole = body.slice(0, cut).split("\n").length - 1;
      expect(setting.offered.map(({ bid }) => bid)).toEqual([99, 98, 97].slice(0, whole));
    }
  });

  test("quotes over POST are all taken between lines of any other bytes", async () => {
    const setting = await open();
    const chance = createSeededChance("push");
    const noise = Array.from({ length: 500 }, (_, at) =>
      Buffer.from(chance.bytes(1 + (at % 97)).map((byte) => (byte === 10 ? 11 : byte))),
    );
    const good = noise.map((_, at) => line({ bid: 1 + at, ask: 1_000 }));
    const lines = noise.flatMap((bytes, at) => [bytes, Buffer.from(`\n${good[at]}\n`)]);
    const reply = await push(setting, Buffer.concat(lines));
    expect(reply.json()).toMatchObject({ taken: 500 });
    expect(setting.offered.map(({ bid }) => bid)).toEqual(good.map((_, at) => 1 + at));
  });

  test("quotes over POST of two clients that feed one pair are all taken, in order of arrival", async () => {
    const setting = await open();
    const bodies = Array.from({ length: 40 }, (_, at) => line({ bid: 50 + at }));
    const replies = await Promise.all(bodies.map((body) => push(setting, body)));
    expect(replies.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    expect(setting.offered).toHaveLength(40);
  });

  test("quotes over POST with a sequence are rejected when it goes back, until the pair was quiet for 10 s", async () => {
    const setting = await open();
    const body = [7, 8, 8, 3, 9].map((sequence) => line({ sequence })).join("\n");
    expect((await push(setting, body)).json()).toMatchObject({
      taken: 3,
      rejected: { outOfSequence: 2 },
      first: { line: 3, field: "sequence" },
    });
    const other = await push(setting, line({ tradePair: "EURUSD", sequence: 1 }));
    expect(other.status).toBe(200);
    await setting.time.pass(9_999);
    expect((await push(setting, line({ sequence: 1 }))).status).toBe(400);
    await setting.time.pass(1);
    expect((await push(setting, line({ sequence: 1 }))).status).toBe(200);
    await setting.time.pass(-3_600_000);
    expect((await push(setting, line({ sequence: 1 }))).status).toBe(200);
  });

  test("quotes over POST of 100,000 unknown pairs are counted without a memory of their names", async () => {
    const setting = await open();
    const lines = Array.from({ length: 100_000 }, (_, at) => line({ tradePair: `PAIR${at}` }));
    const reply = await push(setting, lines.join("\n"));
    expect(reply.json()).toMatchObject({ taken: 0, rejected: { unknownPair: 100_000 } });
    expect(reply.text.length).toBeLessThan(300);
  });

  test("quotes over POST behind a line of 10 MB are taken", async () => {
    const setting = await open();
    const reply = await push(setting, `${"x".repeat(10_000_000)}\n${line()}\n`);
    expect(reply.json()).toMatchObject({
      taken: 1,
      rejected: { tooLong: 1 },
      first: { line: 1, reason: "tooLong", field: null },
    });
  });
});

describe("the push listener", () => {
  test.each([
    ["no token", { authorization: "" }, 401],
    ["a wrong token", { authorization: `Bearer ${TOKEN}x` }, 401],
    ["another scheme", { authorization: `Basic ${TOKEN}` }, 401],
    ["a compressed body", { "content-encoding": "gzip" }, 415],
    ["another type", { "content-type": "text/plain" }, 415],
  ])("the push listener refuses %s", async (_name, headers, status) => {
    const setting = await open();
    const reply = await push(setting, gzipSync(line()), headers);
    expect(reply.status).toBe(status);
    expect(reply.text).not.toContain(TOKEN);
    expect(setting.offered).toEqual([]);
  });

  test.each([
    ["GET", PATH, 405],
    ["POST", "/", 404],
    ["POST", `${PATH}?x=1`, 404],
  ])("the push listener answers %s %s with %d", async (method, path, status) => {
    const { port } = await open();
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const options = { port, method, path, headers };
    expect((await sendRequest(options)).status).toBe(status);
  });

  test("the push listener refuses a JSON body of more than 8 MB before and while it arrives", async () => {
    const setting = await open();
    const body = `[${line()},${" ".repeat(9_000_000)}${line()}]`;
    const type = { "content-type": "application/json" };
    expect((await push(setting, body, type)).status).toBe(413);
    expect(setting.offered).toEqual([]);
    const chunked = { ...type, "transfer-encoding": "chunked" };
    expect((await push(setting, body, chunked)).status).toBe(413);
    expect(setting.offered).toHaveLength(1);
  });

  test("the push listener logs a flood of wrong tokens as a first line and one count a minute, without the token", async () => {
    const setting = await open({ timer: "manual" });
    for (let at = 0; at < 50; at += 1) await push(setting, line(), { authorization: "Bearer no" });
    await setting.time.pass(60_000);
    const lines = setting.log.filter(({ msg }) => msg.includes("wrong token"));
    expect(lines.map(({ count }) => count)).toEqual([1, 49]);
    expect(JSON.stringify(setting.log)).not.toContain(TOKEN);
  });

  test("the push listener serves a client while another network holds all connections and sends its headers drop by drop [D13.connections]", async () => {
    const { port, ...setting } = await open();
    const from = { port, host: "127.0.0.1", localAddress: "127.0.1.2" };
    const sockets = Array.from({ length: 300 }, () => connect(from).on("error", () => undefined));
    for (const socket of sockets) socket.write("POST /prices/v1/quotes HTTP/1.1\r\nx-a: ");
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    for (let at = 0; at < 3; at += 1) {
      expect((await push({ port, ...setting }, line())).status).toBe(200);
    }
    for (const socket of sockets) socket.destroy();
  });

  test("the push listener serves a quarter of its connections to one network, and its further ones in their turn [D13.connections]", async () => {
    const { port, ...setting } = await open({ exempt: ["127.0.0.1"] });
    const from = { port, host: "127.0.0.1", localAddress: "127.0.1.2" };
    const sockets = Array.from({ length: 65 }, () => connect(from).on("error", () => undefined));
    const last = sockets.at(-1);
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    const answer = last && once(last, "data");
    let isAnswered = false;
    void answer?.then(() => (isAnswered = true));
    last?.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    expect((await push({ port, ...setting }, line())).status).toBe(200);
    expect(isAnswered).toBe(false);
    sockets[0]?.destroy();
    expect(String(await answer)).toMatch(/^HTTP\/1.1 401 /);
    for (const socket of sockets) socket.destroy();
  });

  test("the push listener does not start on an address in use, and says what to change", async () => {
    const { port } = await open();
    await expect(open({ port })).rejects.toMatchObject({
      name: "CannotStart",
      fix: expect.stringContaining("PROPGATE_PUSH_LISTEN"),
    });
  });
});

describe("signed requests", () => {
  const signer = { keyId: "push", secret: TOKEN };
  const signed = (over: Readonly<Record<string, string>> = {}) => ({
    method: "POST",
    target: PATH,
    body: line(),
    timestamp: String(START_MS),
    nonce: "n1",
    ...over,
  });
  const headersOf = (over: Readonly<Record<string, string>> = {}) => ({
    authorization: "",
    ...signedHeaders(signer, signed(over)),
  });

  test("signed requests are taken without the token on the wire", async () => {
    const setting = await open();
    const reply = await push(setting, line(), headersOf());
    expect([reply.status, setting.offered.length]).toEqual([200, 1]);
  });

  test.each([
    ["another body", headersOf({ body: line({ bid: 1 }) })],
    ["another target", headersOf({ target: "/" })],
    ["a timestamp 30,001 ms old", headersOf({ timestamp: String(START_MS - 30_001) })],
    ["a timestamp in seconds", headersOf({ timestamp: "1800000000" })],
    [
      "another key",
      { authorization: "", ...signedHeaders({ ...signer, keyId: "pk_1" }, signed()) },
    ],
    [
      "another secret",
      { authorization: "", ...signedHeaders({ ...signer, secret: "x" }, signed()) },
    ],
    [
      "a right token beside a wrong signature",
      {
        ...headersOf({ body: "" }),
        authorization: `Bearer ${TOKEN}`,
      },
    ],
  ])("signed requests with %s are refused and offer nothing", async (_name, headers) => {
    const setting = await open();
    expect((await push(setting, line(), headers)).status).toBe(401);
    expect(setting.offered).toEqual([]);
  });

  test("signed requests are taken once", async () => {
    const setting = await open();
    expect((await push(setting, line(), headersOf())).status).toBe(200);
    expect((await push(setting, line(), headersOf())).status).toBe(401);
    await setting.time.pass(40_000);
    expect((await push(setting, line(), headersOf())).status).toBe(401);
    expect(setting.offered).toHaveLength(1);
  });
});

describe("quotes over WebSocket", () => {
  async function stream(
    { port }: Setting,
    headers: Readonly<Record<string, string>> = { authorization: `Bearer ${TOKEN}` },
  ): Promise<{ readonly socket: WebSocket; readonly tallies: unknown[] }> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${PATH}`, { headers });
    cleanUps.push(() => socket.terminate());
    const tallies: unknown[] = [];
    socket.on("message", (data) => {
      if (Buffer.isBuffer(data)) tallies.push(JSON.parse(data.toString("utf8")));
    });
    await new Promise((resolve, reject) => {
      socket.on("open", resolve);
      socket.on("error", reject);
    });
    return { socket, tallies };
  }

  test("quotes over WebSocket are taken line by line, and the connection's tally follows", async () => {
    const setting = await open();
    const { socket, tallies } = await stream(setting);
    socket.send(`${line()}\n${line({ bid: 99 })}\n`);
    socket.send(line({ bid: 98 }));
    socket.send("{");
    await eventually(() =>
      expect(tallies.at(-1)).toMatchObject({ taken: 3, first: { line: 4, reason: "notJson" } }),
    );
    expect(setting.offered.map(({ bid }) => bid)).toEqual([100, 99, 98]);
  });

  test("quotes over WebSocket need the token", async () => {
    const setting = await open();
    await expect(stream(setting, {})).rejects.toThrow("401");
    await expect(stream(setting, { authorization: "Bearer no" })).rejects.toThrow("401");
  });

  test("quotes over WebSocket may be signed as a request without a body", async () => {
    const setting = await open();
    const parts = { method: "GET", target: PATH, body: "", timestamp: `${START_MS}`, nonce: "w" };
    const { socket } = await stream(
      setting,
      signedHeaders({ keyId: "push", secret: TOKEN }, parts),
    );
    socket.send(line());
    await eventually(() => expect(setting.offered).toHaveLength(1));
  });

  test("quotes over WebSocket are all taken from a flood of a client that reads no answer", async () => {
    const setting = await open();
    const { socket } = await stream(setting);
    socket.pause();
    const message = Array.from({ length: 500 }, () => line()).join("\n");
    for (let at = 0; at < 100; at += 1) socket.send(message);
    await eventually(() => expect(setting.offered).toHaveLength(50_000));
  });

  test.each([
    ["binary", Buffer.from(line()), 1003],
    ["more than 1 MiB", "x".repeat(1_048_577), 1009],
  ])("quotes over WebSocket end with a message that is %s", async (_name, message, code) => {
    const setting = await open();
    const { socket } = await stream(setting);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.send(message);
    expect(await closed).toBe(code);
    expect((await push(setting, line())).status).toBe(200);
  });

  test("quotes over WebSocket end when the client answers no ping", async () => {
    const setting = await open({ timer: "manual" });
    const { socket } = await stream(setting);
    socket.pause();
    await setting.time.pass(15_000);
    await setting.time.pass(15_000);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.resume();
    expect(await closed).toBe(1006);
  });
});

describe("the health of the push source", () => {
  test("the health of the push source waits for quotes, is up with them, down after 30 s without, and up again", async () => {
    const setting = await open({ timer: "manual" });
    const { source, time } = setting;
    const health = () => source.health();
    expect(health()).toEqual({
      state: "connecting",
      reason: "no quotes yet",
      reconnects: 0,
      unreadable: 0,
    });
    await push(setting, `${line()}\n{`);
    expect(health()).toEqual({ state: "up", reason: null, reconnects: 0, unreadable: 1 });
    for (let at = 0; at < 7; at += 1) await time.pass(5_000);
    expect(health()).toMatchObject({ state: "down", reason: "no quotes for 35 s" });
    await push(setting, line());
    expect(health()).toMatchObject({ state: "up", reason: null, reconnects: 1 });
    await source.stop();
    expect(health()).toMatchObject({ state: "down", reason: "stopped" });
    expect(setting.log.map(({ msg }) => msg)).toEqual([
      "price source is connected",
      "price source is down",
      "price source is connected",
    ]);
  });

  test("the health of the push source without a token is down and says which setting is missing", async () => {
    const { source, log } = await open({ token: null });
    expect(source.health()).toMatchObject({
      state: "down",
      reason: "PROPGATE_PUSH_TOKEN is not set",
    });
    expect(source.origin()).toBeNull();
    expect(log).toHaveLength(1);
  });
});
