import { once } from "node:events";
import { createServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually, until } from "../../../../test/eventually.ts";
import { systemTimer } from "../../../base/src/clock.ts";
import { listenerPort } from "../../../base/src/listener-port.ts";
import { type Certificate, makeCertificate } from "../../../server/src/testing/made-certificate.ts";
import { baseUrlOf } from "./base-url.ts";
import { createBoundedHttp, type HttpCall } from "./bounded-http.ts";

const POST: HttpCall = {
  method: "POST",
  path: "/api/order",
  body: "{}",
  answerBytesMax: 1000,
  mustSucceed: true,
};
const GET: HttpCall = { ...POST, method: "GET", body: null };

const trusted = makeCertificate("IP:127.0.0.1,DNS:localhost", "2");
const elsewhere = makeCertificate("DNS:validator.example", "2");
const unknown = makeCertificate("IP:127.0.0.1,DNS:localhost", "2");
if (trusted === null) process.emitWarning("openssl is not installed: TLS is NOT tested");

/** Trusts these certificates as authorities until the test file ends. */
const before = getCACertificates("default");
setDefaultCACertificates([...before, ...[trusted, elsewhere].flatMap((one) => one?.cert ?? [])]);
afterAll(() => setDefaultCACertificates(before));

/** A server that answers `true`, unless `isSilent`; `requests` are the request lines. */
async function start(certificate: Certificate | null, isSilent = false) {
  const requests: string[] = [];
  const ends: string[] = [];
  const server = createServer({ ...certificate }, (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (!isSilent) response.end("true");
  });
  let connections = 0;
  server.on("secureConnection", (socket) => {
    connections += 1;
    socket.on("error", (cause: NodeJS.ErrnoException) => ends.push(cause.code ?? ""));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = listenerPort(server.address());
  return { port, requests, ends, connections: () => connections };
}

/** A time that is longer than any test. */
const LONG_MS = 600_000;

function send(url: string, call: HttpCall, over = new AbortController()) {
  const http = createBoundedHttp({
    base: baseUrlOf(url),
    key: "a-key",
    timer: systemTimer,
    connectTimeoutMs: LONG_MS,
    socketsMax: 4,
    idleMs: LONG_MS,
  });
  onTestFinished(() => http.close());
  return { http, answer: http.send(call, over.signal) };
}

describe.skipIf(trusted === null).each([
  ["a read", GET],
  ["an order", POST],
])("over TLS %s", (_name, call) => {
  test.each(["127.0.0.1", "localhost"])(
    "a call over TLS reaches a server with a certificate of %s",
    async (host) => {
      const server = await start(trusted);
      const { answer } = send(`https://${host}:${server.port}`, call);
      expect(await answer).toEqual({ ok: true, value: true });
      expect(server.requests).toEqual([`${call.method} ${call.path}`]);
    },
  );

  test.each([
    ["of another host", elsewhere, "certificate is of another host"],
    ["of an unknown authority", unknown, "certificate is self-signed"],
  ])(
    "a call surely does not reach a server with a certificate %s",
    async (_title, certificate, why) => {
      const server = await start(certificate);
      const { answer } = send(`https://127.0.0.1:${server.port}`, call);
      expect(await answer).toEqual({
        ok: false,
        failure: { kind: "unreachable", wasSent: false, why },
      });
      expect(server.requests).toEqual([]);
    },
  );
});

describe.skipIf(trusted === null)("over TLS", () => {
  test("reads over TLS use one connection", async () => {
    const server = await start(trusted);
    const { http, answer } = send(`https://127.0.0.1:${server.port}`, GET);
    await answer;
    await http.send(GET, AbortSignal.any([]));
    expect(server.requests).toHaveLength(2);
    expect(server.connections()).toBe(1);
  });

  test("the connection of an order whose time is over is reset", async () => {
    const server = await start(trusted, true);
    const over = new AbortController();
    const { answer } = send(`https://127.0.0.1:${server.port}`, POST, over);
    await until(() => server.requests.length === 1);
    over.abort();
    expect(await answer).toEqual({
      ok: false,
      failure: { kind: "unreachable", wasSent: true, why: "no answer in time" },
    });
    expect(server.requests).toEqual(["POST /api/order"]);
    await eventually(() => expect(server.ends).toEqual(["ECONNRESET"]));
  });
});
