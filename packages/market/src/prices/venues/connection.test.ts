import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { eventually } from "../../../../../test/eventually.ts";
import { openLog } from "../../../../base/src/log.ts";
import { createSeededChance } from "../../../../base/src/random.ts";
import { createManualTime, type ManualTime } from "../../../../server/src/testing/manual-time.ts";
import { type Connection, type ConnectionLimits, createConnection } from "./connection.ts";
import { createWebSocketLink } from "./web-socket-link.ts";

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

interface Setting {
  readonly time: ManualTime;
  readonly connection: Connection;
  readonly lines: { readonly level: number; readonly msg: string; readonly reason?: string }[];
  readonly heard: string[];
  readonly ends: () => number;
}

function connect(url: string, limits: Partial<ConnectionLimits> = {}): Setting {
  const time = createManualTime(1_700_000_000_000);
  const lines: Setting["lines"][number][] = [];
  const heard: string[] = [];
  let ends = 0;
  const connection = createConnection<string>({
    name: "venue",
    open: createWebSocketLink({ url, timer: time.timer }),
    opened: (channel) => channel.send("subscribe"),
    read(text, channel) {
      if (text === "rejected") channel.fail("subscription rejected");
      if (text.startsWith("{")) return "unreadable";
      heard.push(text);
      return text === "heartbeat" ? "life" : "data";
    },
    ended: () => {
      ends += 1;
    },
    limits,
    around: {
      timer: time.timer,
      chance: createSeededChance("connection"),
      log: openLog("info", { write: (line) => void lines.push(JSON.parse(line)) }),
    },
  });
  cleanUps.push(() => connection.stop());
  connection.start();
  return { time, connection, lines, heard, ends: () => ends };
}

interface Venue {
  readonly url: string;
  readonly server: Server;
  readonly sockets: WebSocket[];
  readonly received: string[];
}

async function openVenue(port = 0): Promise<Venue> {
  const server = createServer();
  const sockets: WebSocket[] = [];
  const received: string[] = [];
  const accepting = new WebSocketServer({ server });
  accepting.on("connection", (socket) => {
    sockets.push(socket);
    socket.on("message", (data) => {
      if (Buffer.isBuffer(data)) received.push(data.toString());
      socket.send("confirmed");
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  cleanUps.push(async () => {
    for (const socket of sockets) socket.terminate();
    accepting.close();
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
  });
  return { url: `ws://127.0.0.1:${portOf(server)}`, server, sockets, received };
}

function portOf(server: Server): number {
  const address = server.address();
  return isPort(address) ? address.port : 0;
}

function isPort(address: string | AddressInfo | null): address is AddressInfo {
  return address !== null && typeof address === "object";
}

function becomes(connection: Connection, state: "up" | "down"): Promise<void> {
  return eventually(() => expect(connection.health().state).toBe(state));
}

describe("a venue's connection", () => {
  test("a venue's connection subscribes after each connect and logs one line per change", async () => {
    const venue = await openVenue();
    const { connection, time, lines, ends } = connect(venue.url);
    expect(connection.health().state).toBe("connecting");
    await becomes(connection, "up");
    venue.sockets[0]?.terminate();
    await becomes(connection, "down");
    expect(connection.health().reason).toBe("closed by the venue with code 1006");
    expect(ends()).toBe(1);
    await time.pass(500);
    await becomes(connection, "up");
    expect(venue.received).toEqual(["subscribe", "subscribe"]);
    expect(connection.health()).toEqual({
      state: "up",
      reason: null,
      reconnects: 1,
      unreadable: 0,
    });
    expect(lines.map(({ msg }) => msg)).toEqual([
      "price source is connected",
      "price source is down",
      "price source is connected again",
    ]);
  });

  test("a venue that is away costs one line however often it is retried", async () => {
    const venue = await openVenue();
    venue.server.close();
    const { connection, time, lines } = connect(venue.url);
    await becomes(connection, "down");
    for (let retry = 0; retry < 20; retry += 1) {
      await time.pass(30_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(connection.health().reason).toMatch(/ECONNREFUSED/);
    expect(lines.map(({ msg }) => msg)).toEqual(["price source is down"]);
  });

  test("a silent connection is cut after its limit, a heartbeat keeps it", async () => {
    const venue = await openVenue();
    const { connection, time, heard } = connect(venue.url, { silentMs: 5_000 });
    await becomes(connection, "up");
    for (let second = 0; second < 4; second += 1) await time.pass(1_000);
    venue.sockets[0]?.send("heartbeat");
    await eventually(() => expect(heard).toContain("heartbeat"));
    for (let second = 0; second < 4; second += 1) await time.pass(1_000);
    expect(connection.health().state).toBe("up");
    await time.pass(1_000);
    await becomes(connection, "down");
    expect(connection.health().reason).toBe("silent");
  });

  test("heartbeats without prices are cut where the venue always has prices", async () => {
    const venue = await openVenue();
    const { connection, time } = connect(venue.url, { withoutDataMs: 3_000 });
    await becomes(connection, "up");
    for (let second = 0; second < 3; second += 1) await time.pass(1_000);
    await becomes(connection, "down");
    expect(connection.health().reason).toBe("no prices");
  });

  test("a rejected subscription cuts the connection and is retried", async () => {
    const venue = await openVenue();
    const { connection, time } = connect(venue.url);
    await becomes(connection, "up");
    venue.sockets[0]?.send("rejected");
    await becomes(connection, "down");
    expect(connection.health().reason).toBe("subscription rejected");
    await time.pass(500);
    await becomes(connection, "up");
  });

  test("garbage is counted and cuts the connection when nothing else comes", async () => {
    const venue = await openVenue();
    const { connection } = connect(venue.url, { unreadableMax: 3 });
    await becomes(connection, "up");
    for (let one = 0; one < 4; one += 1) venue.sockets[0]?.send("{");
    await becomes(connection, "down");
    expect(connection.health()).toMatchObject({ reason: "unreadable messages", unreadable: 4 });
  });

  test.each([
    ["many messages", { messagesPerSecondMax: 100 }, "x"],
    ["many bytes", { bytesPerSecondMax: 100_000 }, "x".repeat(2_000)],
  ])("a flood of %s is cut", async (_name, limits, text) => {
    const venue = await openVenue();
    const { connection } = connect(venue.url, limits);
    await becomes(connection, "up");
    for (let one = 0; one < 200; one += 1) venue.sockets[0]?.send(text);
    await becomes(connection, "down");
    expect(connection.health().reason).toBe("flood: more messages than the limit");
  });

  test("a message above the limit is cut before it is kept", async () => {
    const venue = await openVenue();
    const { connection } = connect(venue.url);
    await becomes(connection, "up");
    venue.sockets[0]?.send("x".repeat(5 * 1024 * 1024));
    await becomes(connection, "down");
    expect(connection.health().reason).toMatch(/Max payload size exceeded/);
  });

  test("a stop while it connects leaves no socket and no retry", async () => {
    const venue = await openVenue();
    const { connection, time } = connect(venue.url);
    await connection.stop();
    await time.pass(60_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(venue.received).toEqual([]);
    expect(connection.health()).toMatchObject({ state: "down", reason: "stopped" });
  });

  test("a stop closes the open socket", async () => {
    const venue = await openVenue();
    const { connection } = connect(venue.url);
    await becomes(connection, "up");
    const closed = new Promise((resolve) => venue.sockets[0]?.once("close", resolve));
    await connection.stop();
    await closed;
  });
});
