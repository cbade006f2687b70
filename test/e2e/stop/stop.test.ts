import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { signedHeaders } from "../../../packages/server/src/testing/signed-request.ts";
import { scaledCount } from "../../environment/depth.ts";
import { until } from "../../eventually.ts";
import { sendBytes } from "../send-bytes.ts";
import { type SendingClient, startSendingClient } from "./sending-client.ts";
import { type StoppableService, startStoppableService } from "./stoppable-service.ts";

const MS_PER_SECOND = 1_000;
/** A delay that does not end while its test runs. */
const LONG_DELAY_SECONDS = 300;
const HEALTH = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
const READY = "GET /ready HTTP/1.1\r\nHost: x\r\n\r\n";

let service: StoppableService;

function signedRead(): string {
  const request = {
    method: "GET",
    target: "/api/v1/trading/positions",
    body: "",
    timestamp: String(Date.now()),
    nonce: randomUUID(),
  };
  const headers = Object.entries(signedHeaders(service.signer, request));
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `GET ${request.target} HTTP/1.1\r\nHost: x\r\n${lines}\r\n`;
}

function sumOf(clients: readonly SendingClient[], name: keyof SendingClient["counts"]): number {
  return clients.reduce((sum, { counts }) => sum + counts[name], 0);
}

async function open(bytes: string): Promise<Socket> {
  const socket = connect(service.port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

/** Few and many clients, with and without a delay. A low depth runs only the first cases. */
const LOADS = [
  { clients: 12, delay: 1 },
  { clients: 100, delay: 0 },
  { clients: 12, delay: 0 },
  { clients: 12, delay: 2 },
  { clients: 200, delay: 0 },
  { clients: 200, delay: 1 },
  { clients: 200, delay: 2 },
] as const;

describe("a stop under load", () => {
  test.each(LOADS.slice(0, scaledCount(LOADS.length, 2)))(
    "a stop under load loses no request of $clients clients that send all the time, with a delay of $delay s",
    async ({ clients: count, delay }) => {
      service = await startStoppableService(delay);
      let stopsAtMs = Number.POSITIVE_INFINITY;
      // Clients that connect again during the first half of the delay find a service that still serves.
      const comesBack = () => performance.now() < stopsAtMs + (delay * MS_PER_SECOND) / 2;
      const clients = Array.from({ length: count }, (_, index) =>
        startSendingClient(service.port, {
          request: index % 4 === 0 ? signedRead : () => HEALTH,
          reconnects: () => stopsAtMs < Number.POSITIVE_INFINITY && comesBack(),
        }),
      );
      await until(() => clients.every(({ counts }) => counts.answered > 0));
      stopsAtMs = performance.now();
      const { code, tookMs } = await service.stop();
      await Promise.all(clients.map(({ stopped }) => stopped));
      expect(code).toBe(0);
      expect(sumOf(clients, "closing")).toBeGreaterThanOrEqual(count);
      expect(sumOf(clients, "lost")).toBe(0);
      expect(tookMs).toBeGreaterThanOrEqual(delay * MS_PER_SECOND);
    },
  );

  test("a stop under load answers 503 at /ready immediately, and still serves until the delay is over", async () => {
    service = await startStoppableService(LONG_DELAY_SECONDS);
    expect(await sendBytes(service.port, READY)).toMatchObject([{ status: 200 }]);
    void service.stop();
    let status = 200;
    while (status === 200) {
      const [answer] = await sendBytes(service.port, READY);
      status = answer?.status ?? 0;
    }
    expect(status).toBe(503);
    // There are two requests on one connection: the answer to the first must not close it.
    const answers = await sendBytes(service.port, HEALTH + signedRead(), "keepOpen");
    expect(answers.map((one) => one.status)).toEqual([200, 200]);
    expect(answers.map(({ head }) => /connection: close/i.test(head))).toEqual([false, true]);
  });

  test("a stop under load ends although no client leaves, with clients that send half a request, drip, or never read", async () => {
    service = await startStoppableService(0);
    const page = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
    const held = await Promise.all([
      open(""),
      open("GET /health HTTP/1.1\r\nHost: "),
      open("POST /api/v1/trading/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"),
      open(page.repeat(2)),
      open(HEALTH),
    ]);
    held[3]?.pause();
    const drip = await open("GET /health HTTP/1.1\r\nHost: ");
    const dripping = setInterval(() => drip.write("x"), 50);
    onTestFinished(() => {
      clearInterval(dripping);
      for (const socket of [...held, drip]) socket.destroy();
    });
    // The service has read the bytes of the earlier clients before it answers this later client.
    await sendBytes(service.port, HEALTH);
    expect((await service.stop()).code).toBe(0);
  });
});
