import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { systemTimer } from "../../../base/src/clock.ts";
import { listenerPort } from "../../../base/src/listener-port.ts";
import { rawAnswer, startRawServer } from "../../../server/src/testing/raw-server.ts";
import type { Literal } from "../python-literal.ts";
import { baseUrlOf } from "./base-url.ts";
import { type BoundedHttp, createBoundedHttp, type HttpCall } from "./bounded-http.ts";
import type { ConnectionLimits } from "./connections.ts";
import type { UpstreamResult } from "./port.ts";

const KEY = "a-key-of-the-network";
const GET: HttpCall = {
  method: "GET",
  path: "/v2/thing?a=1",
  body: null,
  answerBytesMax: 10_000,
  mustSucceed: false,
};
const POST: HttpCall = { ...GET, method: "POST", path: "/api/order", body: '{"a":"é"}' };

/** A time that is longer than any test. */
const LONG_MS = 600_000;

function open(url: string, limits: Partial<ConnectionLimits> = {}) {
  const http = createBoundedHttp({
    base: baseUrlOf(url),
    key: KEY,
    timer: systemTimer,
    connectTimeoutMs: LONG_MS,
    socketsMax: 4,
    idleMs: LONG_MS,
    ...limits,
  });
  onTestFinished(() => http.close());
  return http;
}

function send(
  http: BoundedHttp,
  call: HttpCall,
  over = new AbortController(),
): Promise<UpstreamResult<Literal>> {
  return http.send(call, over.signal);
}

const value = (literal: Literal): object => ({ ok: true, value: literal });
const failure = (fields: object): object => ({ ok: false, failure: fields });
const unreadable = (why: string): object => failure({ kind: "unreadable", why });
const cut = (why: string): object => failure({ kind: "unreachable", wasSent: true, why });
const refused = (status: number, error: string, body: unknown = { error }): object =>
  failure({ kind: "refused", status, error, body });

type Answering = (socket: Socket) => void;
const writes =
  (...parts: readonly (string | Uint8Array)[]): Answering =>
  (socket) =>
    void socket.write(Buffer.concat(parts.map((part) => Buffer.from(part))));
const writesAndEnds =
  (bytes: string | Uint8Array): Answering =>
  (socket) =>
    void socket.end(bytes);
const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

function endless(socket: Socket): void {
  socket.write(`${CHUNKED}1\r\n[\r\n`);
  const chunk = `1000\r\n${"0,".repeat(2048)}\r\n`;
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", more);
  more();
}

/** Answers of an upstream, and the outcome of each. */
const ANSWERS: readonly (readonly [string, Answering, object])[] = [
  ["an answer", writes(rawAnswer('{"a":[1,"é"]}')), value({ a: [1, "é"] })],
  ["an answer of status 201", writes(rawAnswer("1", { status: "201 Created" })), value(1)],
  ["chunks", writes(`${CHUNKED}1\r\n[\r\n2\r\n1]\r\n0\r\n\r\n`), value([1])],
  [
    "an encoding that is identity",
    writes(rawAnswer("1", { headers: ["Content-Encoding: identity"] })),
    value(1),
  ],
  [
    "success false where it may be",
    writes(rawAnswer('{"success":false}')),
    value({ success: false }),
  ],
  [
    "a compressed answer",
    writes(rawAnswer(gzipSync("1"), { headers: ["Content-Encoding: gzip"] })),
    unreadable("the answer is compressed"),
  ],
  [
    "a declared length above the bound",
    writes("HTTP/1.1 200 OK\r\nContent-Length: 10001\r\n\r\n"),
    unreadable("the answer has more than 10000 bytes"),
  ],
  ["an endless answer", endless, unreadable("the answer has more than 10000 bytes")],
  [
    "half of the JSON",
    writes(rawAnswer('{"a":')),
    unreadable(
      "the answer is not valid JSON: the text ends where a value is expected at character 5 ('a')",
    ),
  ],
  [
    "no body",
    writes("HTTP/1.1 204 No Content\r\n\r\n"),
    unreadable(
      "the answer is not valid JSON: the text ends where a value is expected at character 0",
    ),
  ],
  [
    "NaN",
    writes(rawAnswer('{"a":NaN}')),
    unreadable("the answer is not valid JSON: a number is not finite at character 5 ('a')"),
  ],
  [
    "a key twice",
    writes(rawAnswer('{"a":1,"a":2}')),
    unreadable("the answer is not valid JSON: duplicate key at character 11 ('a')"),
  ],
  [
    "a number of 400 digits",
    writes(rawAnswer(`[${"7".repeat(400)}]`)),
    unreadable(
      "the answer is not valid JSON: a number has more than 64 characters at character 1 ('[0]')",
    ),
  ],
  [
    "bytes that are not UTF-8",
    writes(rawAnswer(Buffer.from([0x22, 0xff, 0x22]))),
    unreadable("the answer is not valid UTF-8"),
  ],
  [
    "a byte order mark",
    writes(rawAnswer("\uFEFF1")),
    unreadable("the answer is not valid JSON: expected a value at character 0"),
  ],
  [
    "something other than HTTP",
    writesAndEnds("SSH-2.0-OpenSSH_9.9\r\n"),
    unreadable("the answer is not valid HTTP (HPE_INVALID_CONSTANT)"),
  ],
  [
    "headers above Node's bound",
    writes("HTTP/1.1 200 OK\r\n", `X: ${"x".repeat(70_000)}\r\n\r\n`),
    unreadable("the answer is not valid HTTP (HPE_HEADER_OVERFLOW)"),
  ],
  [
    "a redirect",
    writes(
      rawAnswer("{}", { status: "307 Temporary Redirect", headers: ["Location: /elsewhere"] }),
    ),
    refused(307, "the answer is a redirect", null),
  ],
  [
    "status 400 with its error",
    writes(rawAnswer('{"success":false,"error":"bad size"}', { status: "400 Bad Request" })),
    refused(400, "bad size", { success: false, error: "bad size" }),
  ],
  [
    "status 401",
    writes(rawAnswer('{"error":"Unauthorized access"}', { status: "401 Unauthorized" })),
    refused(401, "Unauthorized access"),
  ],
  [
    "status 403 that repeats key and host",
    writes(
      rawAnswer(`{"error":"${KEY} lacks the tier at 127.0.0.1"}`, { status: "403 Forbidden" }),
    ),
    refused(403, "[key] lacks the tier at [host]", expect.anything()),
  ],
  [
    "status 404",
    writes(rawAnswer('{"status":"not_found"}', { status: "404 Not Found" })),
    refused(404, "status 404", { status: "not_found" }),
  ],
  [
    "status 500 with a page",
    writes(rawAnswer("<html>oops</html>", { status: "500 Internal Server Error" })),
    refused(500, "status 500", null),
  ],
  [
    "status 502 with a compressed page",
    writes(
      rawAnswer(gzipSync("{}"), { status: "502 Bad Gateway", headers: ["Content-Encoding: gzip"] }),
    ),
    refused(502, "status 502", null),
  ],
  [
    "a switch to another protocol",
    writes("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
    cut("connection closed without an answer"),
  ],
  ["two answers to one request", writes(rawAnswer("1"), rawAnswer("2")), value(1)],
  ["the end before an answer", writesAndEnds(""), cut("connection closed by the other side")],
  [
    "half a body, then the end",
    writesAndEnds('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"a":1'),
    cut("the connection was cut in the answer"),
  ],
  [
    "half a body, then a reset",
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"a":1', () => {
        setImmediate(() => socket.resetAndDestroy());
      });
    },
    failure({ kind: "unreachable", wasSent: true, why: expect.any(String) }),
  ],
  [
    "chunks without their end",
    writesAndEnds(`${CHUNKED}1\r\n1\r\n`),
    cut("the connection was cut in the answer"),
  ],
];

describe.each([
  ["a read", GET],
  ["an order", POST],
])("%s", (_name, call) => {
  test.each(ANSWERS)("a call ends with its result: %s", async (_title, answer, expected) => {
    const server = await startRawServer((socket) => answer(socket));
    expect(await send(open(server.url), call)).toEqual(expected);
    expect(server.requests).toHaveLength(1);
  });

  test("a call whose answer is cut at any byte is never taken for a whole one", async () => {
    const whole = rawAnswer('{"a":[1,"é"]}');
    let cutAt = 0;
    const server = await startRawServer((socket) => void socket.end(whole.subarray(0, cutAt)));
    const http = open(server.url);
    const readAt: number[] = [];
    for (; cutAt <= whole.length; cutAt += 1) {
      if ((await send(http, call)).ok) readAt.push(cutAt);
    }
    expect(readAt).toEqual([whole.length]);
  });

  test("a call carries key and body, and asks for no compression", async () => {
    const server = await startRawServer((socket) => socket.write(rawAnswer("1")));
    await send(open(server.url), call);
    const [request] = server.requests;
    expect(request?.line).toBe(`${call.method} ${call.path} HTTP/1.1`);
    expect(request?.text).toMatch(/^host: 127\.0\.0\.1:\d+\r$/im);
    expect(request?.text).toMatch(/^accept-encoding: identity\r$/im);
    expect(request?.text).toMatch(new RegExp(`^authorization: Bearer ${KEY}\r$`, "im"));
    expect(Buffer.from(request?.text.split("\r\n\r\n")[1] ?? "", "latin1").toString()).toBe(
      call.body ?? "",
    );
  });

  test("a call without an answer ends in time, and may have arrived", async () => {
    const over = new AbortController();
    const server = await startRawServer(() => over.abort());
    expect(await send(open(server.url), call, over)).toEqual(cut("no answer in time"));
  });

  test("a call whose answer comes byte by byte ends in time", async () => {
    const over = new AbortController();
    let dripped = 0;
    const server = await startRawServer((socket) => {
      socket.write(CHUNKED);
      const drip = setInterval(() => {
        socket.write("1\r\n \r\n");
        dripped += 1;
        if (dripped === 10) over.abort();
      }, 10);
      socket.on("close", () => clearInterval(drip));
    });
    expect(await send(open(server.url), call, over)).toEqual(cut("no answer in time"));
  });

  test("a call to a closed port surely did not arrive", async () => {
    const server = await startRawServer(() => {});
    await server.close();
    expect(await send(open(server.url), call)).toEqual(
      failure({ kind: "unreachable", wasSent: false, why: "connection refused" }),
    );
  });

  test("a call to a name that does not exist surely did not arrive", async () => {
    const reading = await send(open("https://does-not-exist.invalid"), call);
    expect(reading).toEqual(
      failure({ kind: "unreachable", wasSent: false, why: expect.stringMatching(/^(host|no)/) }),
    );
  });

  test("a call whose time is over before it begins surely did not arrive", async () => {
    const server = await startRawServer(() => {});
    expect(await open(server.url).send(call, AbortSignal.abort())).toEqual(
      failure({ kind: "unreachable", wasSent: false, why: "no time was left" }),
    );
    expect(server.connections()).toBe(0);
  });

  test("a call to a server that never secures the connection surely did not arrive", async () => {
    const server = await startRawServer(() => {});
    const http = open(server.url.replace("http:", "https:"), { connectTimeoutMs: 150 });
    expect(await send(http, call)).toEqual(
      failure({ kind: "unreachable", wasSent: false, why: "no connection in time" }),
    );
    expect(server.requests).toEqual([]);
  });

  test("a call to a server that does not speak TLS surely did not arrive", async () => {
    const server = createServer((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const http = open(`https://127.0.0.1:${listenerPort(server.address())}`);
    expect(await send(http, call)).toMatchObject({ failure: { wasSent: false } });
  });
});

describe("the connections", () => {
  test("connections of reads are kept and bounded", async () => {
    const server = await startRawServer((socket) => socket.write(rawAnswer("1")));
    const http = open(server.url, { socketsMax: 3 });
    for (let round = 0; round < 3; round += 1) {
      const reads = Array.from({ length: 20 }, () => send(http, GET));
      expect(new Set((await Promise.all(reads)).map((one) => one.ok))).toEqual(new Set([true]));
    }
    expect(server.requests).toHaveLength(60);
    expect(server.connections()).toBe(3);
  });

  test("connections of orders carry one order each", async () => {
    const server = await startRawServer((socket) => socket.write(rawAnswer("1")));
    const http = open(server.url);
    await send(http, GET);
    await send(http, POST);
    await send(http, POST);
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 2, 3]);
    await eventually(() => expect(server.ends).toEqual(["end", "end"]));
  });

  test("connections that the server closed when a read arrived are replaced, and the read is repeated", async () => {
    const server = await startRawServer((socket, request) => {
      const isStale = request.connection === 1 && server.requests.length > 1;
      if (isStale) socket.resetAndDestroy();
      else socket.write(rawAnswer("1"));
    });
    const http = open(server.url);
    expect(await send(http, GET)).toEqual(value(1));
    expect(await send(http, GET)).toEqual(value(1));
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  });

  test("connections that the server closed while idle are not used for the next read", async () => {
    const server = await startRawServer((socket) => {
      socket.write(rawAnswer("1"), () => socket.end());
    });
    const http = open(server.url);
    for (let round = 1; round <= 5; round += 1) {
      expect(await send(http, GET)).toEqual(value(1));
      await eventually(() => expect(server.ends).toHaveLength(round));
    }
    expect(server.requests).toHaveLength(5);
  });

  test("connections whose server refuses every kept request end a read after one repetition", async () => {
    const server = await startRawServer((socket) => {
      if (server.requests.length === 1) socket.write(rawAnswer("1"));
      else socket.resetAndDestroy();
    });
    const http = open(server.url);
    await send(http, GET);
    expect(await send(http, GET)).toEqual(cut("connection closed by the other side"));
    expect(server.requests).toHaveLength(3);
  });

  test("connections that break under an order never repeat it", async () => {
    const server = await startRawServer((socket, { line }) => {
      if (line.startsWith("POST")) socket.resetAndDestroy();
      else socket.write(rawAnswer("1"));
    });
    const http = open(server.url);
    await send(http, GET);
    expect(await send(http, POST)).toEqual(cut("connection closed by the other side"));
    expect(server.requests.map(({ line }) => line.slice(0, 4))).toEqual(["GET ", "POST"]);
  });

  test("connections of an order whose time is over are reset, so that nothing of it arrives later", async () => {
    const over = new AbortController();
    const server = await startRawServer(() => over.abort());
    await send(open(server.url), POST, over);
    await eventually(() => expect(server.ends).toEqual(["ECONNRESET"]));
  });

  test("a connection that is idle for longer than an answer may take does not end the answer", async () => {
    const server = await startRawServer((socket) => {
      setTimeout(() => socket.write(rawAnswer("1")), 300);
    });
    const http = open(server.url, { socketsMax: 1, idleMs: 100 });
    expect(await send(http, GET)).toEqual(value(1));
    await eventually(() => expect(server.ends).toEqual(["end"]));
  });

  test("a connection whose first call was given up immediately carries the next call", async () => {
    const server = await startRawServer(writes(rawAnswer("1")));
    const http = open(server.url);
    const over = new AbortController();
    const givenUp = send(http, GET, over);
    over.abort();
    expect(await givenUp).toEqual(
      failure({ kind: "unreachable", wasSent: false, why: "no connection in time" }),
    );
    await eventually(() => expect(server.connections()).toBe(1));
    expect(await send(http, GET)).toEqual(value(1));
    expect(server.connections()).toBe(1);
  });
});

describe("the key", () => {
  test.each(["", "two words", "line\nbreak", "schlüssel", "k".repeat(513)])(
    "%j stops the start without being repeated",
    (key) => {
      const start = () =>
        createBoundedHttp({
          base: baseUrlOf("http://127.0.0.1:1"),
          key,
          timer: systemTimer,
          connectTimeoutMs: 1,
          socketsMax: 1,
          idleMs: 1,
        });
      expect(start).toThrow("the network's key must be 1 to 512 printable characters, no spaces");
    },
  );
});
