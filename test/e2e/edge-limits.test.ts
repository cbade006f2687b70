import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import { signedHeaders } from "../../packages/server/src/testing/signed-request.ts";
import { eventually } from "../eventually.ts";
import { sendBytes } from "./send-bytes.ts";

/** The tests check the limits of one client on real sockets. This request needs no key. */
const HEALTH = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
const POSITIONS = "/api/v1/trading/positions";
const MOST = 3;
const PIPELINED = 10;
/** Timeouts that are longer than any test. */
const PATIENT = {
  headersTimeoutMs: 300_000,
  requestTimeoutMs: 300_000,
  stalledMs: 300_000,
  keepAliveMs: 300_000,
} as const;

let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

/** Opens a connection that stays open until the end of the test. */
async function openHeldConnection(port: number, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

describe("limits that a request breaks [S1.envelope]", () => {
  let service: Harness;
  /**
   * A service with a short timeout, for requests that never end. On a busy machine it could time out complete requests,
   * so the other tests use `service`.
   */
  let impatient: Harness;
  beforeAll(async () => {
    service = await openHarness({ edge: { ...PATIENT, pipelinedMax: PIPELINED } });
    impatient = await openHarness({ edge: { requestTimeoutMs: 1_000 } });
    return () => Promise.all([service.close(), impatient.close()]);
  });

  const signed = (nonce: string): string => {
    const timestamp = String(service.time.clock.now());
    const request = { method: "GET", target: POSITIONS, body: "", timestamp, nonce };
    const lines = Object.entries(signedHeaders(service.signer, request));
    const headers = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return `GET ${POSITIONS} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
  };

  test.each([
    ["one header beyond 16 KiB", `A: ${"a".repeat(20_000)}\r\n`],
    ["thousands of headers beyond 16 KiB", "a: b\r\n".repeat(5_000)],
  ])("%s beyond 16 KiB gets 431", async (_, lines) => {
    const answers = await sendBytes(
      service.port,
      `GET ${POSITIONS} HTTP/1.1\r\nHost: x\r\n${lines}\r\n`,
    );
    expect(answers).toMatchObject([
      { status: 431, body: '{"error":"Request headers too large; nothing was carried out"}' },
    ]);
  });

  test("an order with headers beyond 16 KiB gets no 431 but a 500 that says that nothing was carried out [S7.statuses]", async () => {
    const bytes = `POST /api/v1/trading/orders HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}`;
    const answers = await sendBytes(service.port, bytes, "keepOpen");
    expect(answers).toMatchObject([
      { status: 500, body: '{"error":"Request headers too large; nothing was carried out"}' },
    ]);
  });

  test("a target beyond 16 KiB gets 431", async () => {
    const [answer] = await sendBytes(
      service.port,
      `GET /${"a".repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    expect(answer?.status).toBe(431);
  });

  test.each([
    ["no bytes", ""],
    ["half a head", "GET /health HTTP/1.1\r\nHost"],
  ])("a client that sends %s gets 408 and is disconnected", async (_, bytes) => {
    expect(await sendBytes(impatient.port, bytes, "keepOpen")).toMatchObject([
      { status: 408, body: '{"error":"Request not complete in time; nothing was carried out"}' },
    ]);
  });

  test("an endless header gets 431 before it ends", async () => {
    const bytes = `GET /health HTTP/1.1\r\nHost: ${"x".repeat(17_000)}`;
    const answers = await sendBytes(service.port, bytes, "keepOpen");
    expect(answers.map(({ status }) => status)).toEqual([431]);
  });

  test("a client that sends single bytes gets no more time", async () => {
    const socket = await openHeldConnection(impatient.port);
    let answer = "";
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.write("GET /health HTTP/1.1\r\nHost: ");
    const drip = setInterval(() => socket.write("x"), 20);
    await once(socket, "close");
    clearInterval(drip);
    // A byte that arrives after the service has closed the connection resets it, and may discard the answer.
    expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  test("a long pipeline is answered up to its limit, and no request beyond it is carried out", async () => {
    const all = Array.from({ length: PIPELINED * 10 }, (_, index) => signed(`pipe-${index}`));
    const answers = await sendBytes(service.port, all.join(""), "keepOpen");
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: PIPELINED }, () => 200),
      503,
    ]);
    expect(answers.at(-1)?.body).toBe(
      '{"error":"Too many unanswered requests on one connection; nothing was carried out"}',
    );
    const [used] = await service.database.query<{ count: number }>(
      "select count(*)::int as count from nonces where nonce like 'pipe-%'",
      [],
    );
    expect(used?.count).toBe(PIPELINED);
  });

  test("a pipeline of unsigned requests has a lower limit", async () => {
    const page = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
    const answers = await sendBytes(service.port, page.repeat(50), "keepOpen");
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 503]);
  });

  test("pipelined requests up to the limit are all answered, one packet after the other", async () => {
    const all = Array.from({ length: PIPELINED }, (_, index) => signed(`allowed-${index}`));
    const answers = await sendBytes(service.port, all.join(""));
    expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200));
  });
});

describe("limits of connections [S1.envelope]", () => {
  let service: Harness;
  /** A service with timeouts longer than any test, so that clients can hold their connections. */
  let patient: Harness;
  beforeAll(async () => {
    const limits = { connectionsMax: MOST, refusedConcurrentMax: 2, pipelinedUnsignedMax: 100 };
    service = await openHarness({ edge: { ...limits, stalledMs: 300, keepAliveMs: 300 } });
    patient = await openHarness({ edge: { ...limits, ...PATIENT } });
    return () => Promise.all([service.close(), patient.close()]);
  });

  /** Retries until a connection is free. Every other answer must be the 503 for too many connections. */
  async function untilServed({ port }: Harness): Promise<void> {
    for (;;) {
      const [answer] = await sendBytes(port, HEALTH);
      if (answer?.status === 200) return;
      // The service closes a refused connection without reading its request, and the reset can overtake the answer.
      if (answer === undefined) continue;
      expect(answer).toMatchObject({ status: 503, body: '{"error":"Too many connections"}' });
    }
  }

  test("a connection over the limit gets 503 and is closed; when one ends the next is served", async () => {
    const held = await Promise.all(
      Array.from({ length: MOST }, () => openHeldConnection(patient.port)),
    );
    const [answer, ...more] = await sendBytes(patient.port, HEALTH, "keepOpen");
    expect(more).toEqual([]);
    expect(answer).toMatchObject({ status: 503, body: '{"error":"Too many connections"}' });
    expect(answer?.head).toMatch(/\r\nRetry-After: 1\r\n/);
    for (const socket of held) socket.destroy();
    await untilServed(patient);
  });

  test("idle connections of one network shut no other one out, and none of its requests is cut [D13.connections] [D13.fullListener]", async () => {
    const held = await Promise.all(
      Array.from({ length: MOST }, () => openHeldConnection(patient.port)),
    );
    const ended = Promise.race(held.map((socket) => once(socket, "close").then(() => socket)));
    const other = await openHeldConnection(patient.port, "127.0.1.2");
    other.write(HEALTH);
    const [bytes] = (await once(other, "data")) as [Buffer];
    expect(bytes.toString()).toMatch(/^HTTP\/1.1 200 /);
    const rest = held.filter((socket) => socket !== held[0]);
    expect(await ended).toBe(held[0]);
    // The clients of the first IP network still hold two of the three connections, and those of the other network hold
    // one. So a further connection of the first network is refused.
    const [refused] = await sendBytes(patient.port, HEALTH, "keepOpen");
    expect(refused).toMatchObject({ status: 503 });
    for (const socket of rest) {
      socket.write(HEALTH);
      expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 200 /);
    }
    for (const socket of [...held, other]) socket.destroy();
    await untilServed(patient);
  });

  test("many connections over the limit get 503 or no answer, and occupy no connection", async () => {
    const held = await Promise.all(
      Array.from({ length: MOST }, () => openHeldConnection(patient.port)),
    );
    const crowd = await Promise.all(
      Array.from({ length: 50 }, () => sendBytes(patient.port, HEALTH, "keepOpen")),
    );
    for (const answers of crowd) {
      expect(answers.map(({ status }) => status).join()).toMatch(/^(503)?$/);
    }
    for (const socket of held) socket.destroy();
    await untilServed(patient);
  });

  test("a client that reads no answers loses its connection", async () => {
    await untilServed(service);
    const greedy = await Promise.all(
      Array.from({ length: MOST }, () => openHeldConnection(service.port)),
    );
    const page = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
    for (const socket of greedy) {
      socket.pause();
      socket.write(page.repeat(90));
    }
    // These clients had occupied every connection of the service.
    await untilServed(service);
  });

  test("an idle connection is closed without an answer", async () => {
    await untilServed(service);
    // A busy machine may not read the request before the idle timeout of the connection.
    await eventually(async () => {
      const answers = await sendBytes(service.port, HEALTH, "keepOpen");
      expect(answers.map(({ status }) => status)).toEqual([200]);
    });
  });

  test("a slow order does not count as a stalled answer", async () => {
    // A busy machine may not read the request before the idle timeout of the connection.
    await eventually(async () => {
      await untilServed(service);
      const socket = await openHeldConnection(service.port);
      const answered = new Promise<string>((resolve) => {
        socket.once("data", (bytes: Buffer) => resolve(bytes.toString()));
        socket.once("close", () => resolve("closed without an answer"));
      });
      const { promise: working, resolve: release } = Promise.withResolvers<void>();
      const blocked = service.database.transaction(async () => working);
      const timestamp = String(service.time.clock.now());
      const request = {
        method: "GET",
        target: POSITIONS,
        body: "",
        timestamp,
        nonce: randomUUID(),
      };
      const lines = Object.entries(signedHeaders(service.signer, request));
      const headers = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      socket.write(`GET ${POSITIONS} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
      // The idle timeout must close this connection, which is opened last, before the blocked answer is released.
      const idle = await openHeldConnection(service.port);
      await Promise.all([once(idle, "close"), sendBytes(service.port, HEALTH, "keepOpen")]);
      release();
      await blocked;
      expect(await answered).toMatch(/^HTTP\/1\.1 200 /);
    });
  });
});

describe("a quarter of the connections for one network [D13.connections]", () => {
  const SHARE = 2;
  const PROXIES = "127.0.9.0/24";
  const limits = { connectionsMax: 4 * SHARE, refusedConcurrentMax: 20 } as const;
  let service: Harness;
  /** A service whose clients must send their headers quickly. */
  let brisk: Harness;
  beforeAll(async () => {
    const own = { ...limits, unsharedFrom: [] };
    const trustedProxies = [PROXIES];
    service = await openHarness({ edge: { ...own, ...PATIENT }, trustedProxies });
    brisk = await openHarness({ edge: { ...own, keepAliveMs: 300_000, headersTimeoutMs: 50 } });
    return () => Promise.all([service.close(), brisk.close()]);
  });

  const held = ({ port }: Harness, network: number, count: number): Promise<readonly Socket[]> =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        openHeldConnection(port, `127.0.${network}.${at + 1}`),
      ),
    );
  const statusOf = async (socket: Socket): Promise<string> => {
    socket.write(HEALTH);
    const [bytes] = (await once(socket, "data")) as [Buffer];
    return bytes.toString().slice(9, 12);
  };

  test("a network that has its quarter waits for itself, and delays no other one", async () => {
    const [first] = await held(service, 1, SHARE);
    const [waiting] = await held(service, 1, 1);
    const answered: string[] = [];
    const later =
      waiting === undefined ? null : statusOf(waiting).then((one) => answered.push(one));
    for (const network of [2, 3]) {
      for (const socket of await held(service, network, SHARE)) {
        expect(await statusOf(socket)).toBe("200");
      }
    }
    expect(answered).toEqual([]);
    first?.destroy();
    await later;
    expect(answered).toEqual(["200"]);
  });

  test("a quarter of the connections may wait, and further ones get 503", async () => {
    await held(service, 1, 2 * SHARE);
    const [refused] = await held(service, 1, 1);
    expect(refused && String(await once(refused, "data"))).toMatch(/^HTTP\/1.1 503 /);
  });

  test("a connection that waited for as long as a request may take to arrive gets 503", async () => {
    const served = await held(brisk, 1, SHARE);
    for (const socket of served) expect(await statusOf(socket)).toBe("200");
    const [late] = await held(brisk, 1, 1);
    expect(late && String(await once(late, "data"))).toMatch(/^HTTP\/1.1 503 /);
  });

  test("the proxies have no maximum, and lose no connection to a client", async () => {
    const proxy = await held(service, 9, 4 * SHARE);
    for (const socket of proxy) expect(await statusOf(socket)).toBe("200");
    const [client] = await held(service, 1, 1);
    expect(client && String(await once(client, "data"))).toMatch(/^HTTP\/1.1 503 /);
    for (const socket of proxy) expect(await statusOf(socket)).toBe("200");
  });

  test("a service that stops ends the connections that wait", async () => {
    const stopped = await openHarness({ edge: { ...limits, ...PATIENT, unsharedFrom: [] } });
    const sockets = await held(stopped, 1, 2 * SHARE);
    const ended = Promise.all(sockets.map((socket) => closed(socket)));
    await stopped.close();
    await ended;
  });
});

describe("a service that stops", () => {
  test("a stopping service does not wait for connections that never sent a byte", async () => {
    const service = await openHarness();
    const socket = await openHeldConnection(service.port);
    const ended = once(socket, "close");
    await service.close();
    await ended;
  });
});
