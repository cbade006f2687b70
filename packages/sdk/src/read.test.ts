import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "./client.ts";
import { RejectedError } from "./errors.ts";
import { tradeItems } from "./pages.ts";
import { type Reply, startVerifyingServer } from "./testing/verifying-server.ts";

const SECRET = "sk_test_0123456789abcdef0123456789abcdef";
const SERVICE_NOW = Date.parse("2026-01-05T12:00:00Z");
const FLATTEN = { trade: { execution_type: "FLAT_ALL" } } as const;
const OFF = { Date: "Thu, 01 Jan 1970 00:00:00 GMT" };

const answer = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });
const stale = (headers: Readonly<Record<string, string>> = OFF): Reply => ({
  status: 401,
  body: { error: "Timestamp invalid" },
  headers,
});

async function client(replies: readonly Reply[], own = SERVICE_NOW - 3_600_000) {
  const server = await startVerifyingServer({ secret: SECRET, replies });
  onTestFinished(() => server.close());
  let now = own;
  const settings = { baseUrl: server.baseUrl, keyId: "pk_1", secret: SECRET, now: () => now };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { client: createClient(settings), received: server.received, pass };
}

test("the candles of a pair are read with their query as it was signed [D9.candles]", async () => {
  const { client: one, received } = await client([answer([]), answer([])]);
  await one.candles({ tradePair: "BTC/USD", interval: "15m", after: 0, limit: 2 });
  await one.candles({ tradePair: "EURUSD", interval: "1d" });
  expect(received.map(({ target }) => target)).toEqual([
    "/api/v1/trading/candles?tradePair=BTC%2FUSD&interval=15m&after=0&limit=2",
    "/api/v1/trading/candles?tradePair=EURUSD&interval=1d",
  ]);
});

test("the events of the account are read with their query as it was signed [D9.events]", async () => {
  const page = { items: [], next: "1-00", head: { sequence: 1, hash: "00" } };
  const { client: one, received } = await client([answer(page), answer(page), answer(page)]);
  expect(await one.eventsPage()).toEqual(page);
  await one.eventsPage({
    after: 418,
    limit: 5,
    types: ["order.filled", "order.cancelled"],
    wait: 25,
  });
  await one.eventsPage({ after: "418-9f2c41ab07d35e6c88b1d20f6a4e91c3", proof: true });
  expect(received.map(({ target }) => target)).toEqual([
    "/api/v1/trading/events",
    "/api/v1/trading/events?after=418&limit=5&wait=25&types=order.filled%2Corder.cancelled",
    "/api/v1/trading/events?after=418-9f2c41ab07d35e6c88b1d20f6a4e91c3&proof=1",
  ]);
});

test("orders and fills of the past are read with their query as it was signed [D9.orderHistory]", async () => {
  const page = { items: [], next: "1-00" };
  const { client: one, received } = await client([answer({}), answer(page), answer(page)]);
  await one.order("b4d6f8a0-2c4e-4f6a-8b0d-1e3f5a7c9b2d-bracket-0");
  await one.orderHistory({ since: 946_684_800_000, tradePair: "BTC/USD" });
  expect(await one.fills({ after: 418, limit: 5 })).toEqual(page);
  expect(received.map(({ target }) => target)).toEqual([
    "/api/v1/trading/orders/b4d6f8a0-2c4e-4f6a-8b0d-1e3f5a7c9b2d-bracket-0",
    "/api/v1/trading/order-history?since=946684800000&tradePair=BTC%2FUSD",
    "/api/v1/trading/fills?after=418&limit=5",
  ]);
});

test("a page of trades has its items and the place of the next page [D13.tradesPage]", async () => {
  const paged = (data: unknown, next: string | null): Reply => ({
    status: 200,
    body: { success: true, data, next },
  });
  const replies = [paged([{ id: "b" }], "b"), paged([{ id: "a" }], null), paged([], null)];
  const { client: one, received } = await client(replies);
  const read: string[] = [];
  for await (const { id } of tradeItems(one, { pageSize: 1 })) read.push(id);
  expect(await one.tradesPage()).toEqual({ items: [], next: null });
  expect(read).toEqual(["b", "a"]);
  expect(received.map(({ target }) => target)).toEqual([
    "/api/v1/trading/trades?limit=1",
    "/api/v1/trading/trades?after=b&limit=1",
    "/api/v1/trading/trades?limit=100",
  ]);
});

test("a page of candles has its items and the place of the next page [D13.answerBytes]", async () => {
  const replies: readonly Reply[] = [
    { status: 200, body: { success: true, data: [{ startMs: 60_000 }], next: 60_000 } },
    { status: 200, body: { success: true, data: [], next: null } },
  ];
  const { client: one, received } = await client(replies);
  const first = await one.candlesPage({ tradePair: "BTCUSD", interval: "1m", after: 0 });
  expect(first).toEqual({ items: [{ startMs: 60_000 }], next: 60_000 });
  const last = await one.candlesPage({ tradePair: "BTCUSD", interval: "1m", after: 60_000 });
  expect(last).toEqual({ items: [], next: null });
  expect(received.map(({ target }) => target)).toEqual([
    "/api/v1/trading/candles?tradePair=BTCUSD&interval=1m&after=0",
    "/api/v1/trading/candles?tradePair=BTCUSD&interval=1m&after=60000",
  ]);
});

describe("a machine with a wrong clock [S5.R1]", () => {
  test("a client takes the service's time from a rejection, signs once more, and keeps it", async () => {
    const rejection = stale({ "X-Service-Server-Time-Ms": String(SERVICE_NOW) });
    const { client: one, received, pass } = await client([rejection, answer([]), answer([])]);
    expect(await one.positions()).toEqual([]);
    pass(5000);
    await one.positions();
    expect(received.map(({ timestamp }) => Number(timestamp))).toEqual([
      SERVICE_NOW - 3_600_000,
      SERVICE_NOW,
      SERVICE_NOW + 5000,
    ]);
    expect(new Set(received.map(({ nonce }) => nonce)).size).toBe(3);
  });

  test("the client reads the service's time when the rejection has none", async () => {
    const time = answer({ serverTimeMs: SERVICE_NOW, skewAllowedMs: 300_000 });
    const { client: one, received } = await client([stale(), time, answer([])]);
    await one.trades();
    expect(received.map(({ target }) => target)).toEqual([
      "/api/v1/trading/trades",
      "/api/v1/time",
      "/api/v1/trading/trades",
    ]);
    expect(received[2]?.timestamp).toBe(String(SERVICE_NOW));
  });

  test("a service without a time endpoint gives its time by the Date header", async () => {
    const dated = stale({ Date: new Date(SERVICE_NOW).toUTCString() });
    const none: Reply = { status: 404, body: { error: "Not found" } };
    const { client: one, received } = await client([dated, none, answer([])]);
    await one.trades();
    expect(received[2]?.timestamp).toBe(String(SERVICE_NOW));
  });

  test("a read whose second timestamp is rejected too is not signed a third time", async () => {
    const rejection = stale({ "X-Service-Server-Time-Ms": String(SERVICE_NOW) });
    const { client: one, received } = await client([rejection]);
    await expect(one.positions()).rejects.toMatchObject({ code: "timestampInvalid", status: 401 });
    expect(received).toHaveLength(2);
  });

  test("an order is signed again by the service's time, with a fresh nonce [D10.clockLearned]", async () => {
    const rejection = stale({ "X-Service-Server-Time-Ms": String(SERVICE_NOW) });
    const { client: one, received } = await client([rejection, answer({ success: true })]);
    const outcome = await one.placeOrder(FLATTEN);
    expect(outcome).toMatchObject({ fate: "accepted" });
    expect(received.map(({ timestamp }) => Number(timestamp))).toEqual([
      SERVICE_NOW - 3_600_000,
      SERVICE_NOW,
    ]);
    expect(received[1]?.body).toBe(received[0]?.body);
    expect(received[1]?.nonce).not.toBe(received[0]?.nonce);
    expect(outcome.nonce).toBe(received[1]?.nonce);
  });

  test("an order whose second timestamp is rejected too is rejected, and not signed a third time", async () => {
    const rejection = stale({ "X-Service-Server-Time-Ms": String(SERVICE_NOW) });
    const { client: one, received } = await client([rejection]);
    expect(await one.placeOrder(FLATTEN)).toMatchObject({
      fate: "rejected",
      rejection: { code: "timestampInvalid" },
    });
    expect(received).toHaveLength(2);
  });
});

describe("the other endpoints", () => {
  test("the requests of the other endpoints are signed and have their own paths", async () => {
    const { client: one, received } = await client([answer([])]);
    await one.instruments();
    await one.quotes(["BTC/USD", "EURUSD"]);
    await one.receipt("a b");
    await one.preview({ trade: { execution_type: "FLAT_ALL" } });
    expect(received.map(({ method, target }) => `${method} ${target}`)).toEqual([
      "GET /api/v1/trading/instruments",
      "GET /api/v1/trading/quotes?pairs=BTC%2FUSD%2CEURUSD",
      "GET /api/v1/trading/receipts/a%20b",
      "POST /api/v1/trading/preview",
    ]);
    expect(received.every(({ verified }) => verified)).toBe(true);
  });

  test("a preview is repeated like a read, because it places nothing", async () => {
    const busy: Reply = { status: 503, body: { error: "down" }, headers: { "Retry-After": "0" } };
    const { client: one, received } = await client([busy, answer({ fee: 1 })]);
    expect(await one.preview({ trade: { execution_type: "FLAT_ALL" } })).toEqual({ fee: 1 });
    expect(received).toHaveLength(2);
  });

  test("health is an answer even when the service has a problem", async () => {
    const body = { status: "degraded", problem: "the database fails" };
    const { client: one } = await client([{ status: 200, body }]);
    expect(await one.health()).toEqual({ isWell: false, about: body });
  });
});

describe("a newer service [S9.additive]", () => {
  test("unknown fields and words of a newer service are kept", async () => {
    const position = { positionUuid: "p1", positionType: "SIDEWAYS", mood: { level: 3 } };
    const { client: one } = await client([answer([position])]);
    expect(await one.positions()).toEqual([position]);
  });

  test("unknown errors of a newer service keep status and text, with the code unlisted", async () => {
    const teapot: Reply = { status: 418, body: { error: "short and stout", since: 1 } };
    const { client: one } = await client([teapot]);
    const error = await one.account().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(RejectedError);
    expect(error).toMatchObject({
      status: 418,
      code: "unlisted",
      rejection: { error: "short and stout" },
    });
  });
});
