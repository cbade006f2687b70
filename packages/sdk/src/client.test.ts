import { describe, expect, onTestFinished, test } from "vitest";
import { type Client, createClient } from "./client.ts";
import { RejectedError, UnexpectedAnswerError } from "./errors.ts";
import type { OrderRequest } from "./orders/order-request.ts";
import { payoutItems } from "./pages.ts";
import {
  type Reply,
  startVerifyingServer,
  type VerifyingServer,
} from "./testing/verifying-server.ts";
import { UnreachableError } from "./unreachable.ts";

const SECRET = "sk_test_0123456789abcdef0123456789abcdef";
const ORDER: OrderRequest = {
  trade: { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", leverage: 0.1 },
};

const answer = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });
const refusal = (status: number, error: string, headers = {}): Reply => ({
  status,
  body: { error },
  headers,
});

function clientOf(server: VerifyingServer, waited: number[] = [], more = {}): Client {
  const wait = async (ms: number): Promise<void> => void waited.push(ms);
  return createClient({
    baseUrl: server.baseUrl,
    keyId: "pk_1",
    secret: SECRET,
    retry: { wait },
    ...more,
  });
}

async function started(settings: Parameters<typeof startVerifyingServer>[0]) {
  const server = await startVerifyingServer(settings);
  onTestFinished(() => server.close());
  return server;
}

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error("it was expected to throw");
    },
    (error: unknown) => error,
  );
}

describe("a client signs the bytes that it sends [S5.bytes]", () => {
  test("every endpoint's request is verified by a server that knows the secret", async () => {
    const lists = Array.from({ length: 5 }, () => answer([]));
    const server = await started({ secret: SECRET, replies: [...lists, answer({})] });
    const client = clientOf(server);
    await client.account();
    await client.positions();
    await client.pendingOrders();
    await client.trades();
    await client.payouts({ limit: 2, cursor: "a+b/c=&d é" });
    await client.placeOrder(ORDER);
    expect(server.received.map(({ method, target }) => `${method} ${target}`)).toEqual([
      "GET /api/v1/trading/account",
      "GET /api/v1/trading/positions",
      "GET /api/v1/trading/orders",
      "GET /api/v1/trading/trades",
      "GET /api/v1/trading/payouts?limit=2&cursor=a%2Bb%2Fc%3D%26d+%C3%A9",
      "POST /api/v1/trading/orders",
    ]);
    expect(server.received.every(({ verified }) => verified)).toBe(true);
    expect(server.received[5]?.contentType).toBe("application/json");
    expect(JSON.parse(server.received[5]?.body ?? "")).toEqual(ORDER);
  });

  test("another brand word reaches a server of that brand [D1.brand]", async () => {
    const settings = { secret: SECRET, replies: [answer([])], brand: "Acme" };
    const server = await started(settings);
    await clientOf(server, [], { brand: "Acme" }).positions();
    expect(server.received[0]?.verified).toBe(true);
  });
});

describe("reads are repeated [S7.R2]", () => {
  test.each([429, 502, 503])("a read is repeated after a %d, with a new nonce", async (status) => {
    const replies = [refusal(status, "later"), answer([{ id: "t1" }])];
    const server = await started({ secret: SECRET, replies });
    const waited: number[] = [];
    expect(await clientOf(server, waited).trades()).toEqual([{ id: "t1" }]);
    expect(waited).toEqual([250]);
    const nonces = server.received.map(({ nonce }) => nonce);
    expect(new Set(nonces).size).toBe(2);
    expect(server.received.every(({ verified }) => verified)).toBe(true);
  });

  test("a read is sent at most three times, and the last rejection is thrown", async () => {
    const replies = [refusal(503, "down")];
    const server = await started({ secret: SECRET, replies });
    const waited: number[] = [];
    const error = await thrownBy(clientOf(server, waited).account());
    expect(error).toBeInstanceOf(RejectedError);
    expect(server.received).toHaveLength(3);
    expect(waited).toEqual([250, 500]);
  });

  test("a read is repeated after Retry-After, unless that is too long", async () => {
    const soon = [refusal(429, "rate_limited", { "Retry-After": "7" }), answer([])];
    const first = await started({ secret: SECRET, replies: soon });
    const waited: number[] = [];
    await clientOf(first, waited).positions();
    expect(waited).toEqual([7000]);
    const late = [refusal(429, "rate_limited", { "Retry-After": "60" })];
    const second = await started({ secret: SECRET, replies: late });
    const error = await thrownBy(clientOf(second).positions());
    expect(error instanceof RejectedError && error.rejection.retryAfterMs).toBe(60_000);
    expect(second.received).toHaveLength(1);
  });

  test.each([
    ["an HTML page", 502, "<html>502 Bad Gateway</html>", {}, 250],
    ["an HTML page", 503, "<html>503</html>", {}, 250],
    ["an HTML page", 504, "<html>504 Gateway Time-out</html>", {}, 250],
    ["an HTML page with Retry-After", 429, "<html>slow down</html>", { "Retry-After": "7" }, 7000],
    ["no body", 502, "", {}, 250],
    ["JSON of a gateway", 503, { message: "no healthy upstream" }, {}, 250],
    [
      "a problem document",
      503,
      { type: "about:blank", title: "Unavailable", status: 503 },
      {},
      250,
    ],
    ["an error of a gateway", 504, { error: "upstream request timeout" }, {}, 250],
  ] as const)(
    "a read is repeated after %s with status %d",
    async (_, status, body, headers, ms) => {
      const replies = [{ status, body, headers }, answer([{ id: "t1" }])];
      const server = await started({ secret: SECRET, replies });
      const waited: number[] = [];
      expect(await clientOf(server, waited).trades()).toEqual([{ id: "t1" }]);
      expect(waited).toEqual([ms]);
      expect(new Set(server.received.map(({ nonce }) => nonce)).size).toBe(2);
    },
  );

  test("a gateway's page that stays is thrown after three attempts, and says what may be the cause", async () => {
    const page = { "Retry-After": "2" };
    const replies: Reply[] = [{ status: 502, body: "<html>bad gateway</html>", headers: page }];
    const server = await started({ secret: SECRET, replies });
    const error = await thrownBy(clientOf(server).trades());
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toMatchObject({ status: 502, retryAfterMs: 2000, isTemporary: true });
    expect(String(error)).toContain("the service may be restarting");
    expect(server.received).toHaveLength(3);
  });

  test.each([301, 403, 413, 520])("a read is not repeated after a page with %d", async (status) => {
    const server = await started({
      secret: SECRET,
      replies: [{ status, body: "<html>no</html>" }],
    });
    expect(await thrownBy(clientOf(server).trades())).toBeInstanceOf(UnexpectedAnswerError);
    expect(server.received).toHaveLength(1);
  });

  test("a read whose nonce a proxy has already sent is signed again [S7.R2]", async () => {
    const replies = [refusal(409, "Nonce"), answer([])];
    const server = await started({ secret: SECRET, replies });
    expect(await clientOf(server).positions()).toEqual([]);
    expect(new Set(server.received.map(({ nonce }) => nonce)).size).toBe(2);
  });

  test("a stream waits longer after each failure, also when a proxy answers with Retry-After 0", async () => {
    const replies: Reply[] = [{ status: 503, body: "<html>", headers: { "Retry-After": "0" } }];
    const server = await started({ secret: SECRET, replies });
    const waited: number[] = [];
    const stop = new AbortController();
    const wait = async (ms: number): Promise<void> => {
      if (waited.push(ms) === 3) stop.abort();
    };
    const client = clientOf(server, [], { retry: { wait } });
    const events: unknown[] = [];
    for await (const event of client.events({}, { signal: stop.signal })) events.push(event);
    expect(events).toEqual([]);
    expect(waited).toEqual([500, 1_000, 2_000]);
  });

  test("an order is sent once, also when a gateway answers with a page", async () => {
    const replies: Reply[] = [{ status: 502, body: "<html>bad gateway</html>" }];
    const server = await started({ secret: SECRET, replies });
    const { fate } = await clientOf(server, [], { settleTimeoutMs: 200 }).placeOrder(ORDER);
    const orders = server.received.filter(({ method }) => method === "POST");
    expect([fate, orders.length]).toEqual(["unknown", 1]);
  });

  test.each([400, 401, 403, 404, 409, 500])("a read is not repeated after a %d", async (status) => {
    const replies = [refusal(status, "no")];
    const server = await started({ secret: SECRET, replies });
    const error = await thrownBy(clientOf(server).payouts());
    expect(error instanceof RejectedError && error.status).toBe(status);
    expect(server.received).toHaveLength(1);
  });
});

describe("errors report the cause", () => {
  test("a missing scope is named", async () => {
    const body = { error: "insufficient_scope", required_scope: "trade:place" };
    const server = await started({ secret: SECRET, replies: [{ status: 403, body }] });
    expect(await clientOf(server).placeOrder(ORDER)).toMatchObject({
      fate: "rejected",
      reason: "403 insufficient_scope",
      rejection: {
        status: 403,
        code: "insufficientScope",
        error: "insufficient_scope",
        requiredScope: "trade:place",
        retryAfterMs: null,
      },
    });
  });

  test("a wrong secret throws the service's 401", async () => {
    const server = await started({ secret: "another", replies: [answer([])] });
    const error = await thrownBy(clientOf(server).trades());
    expect(String(error)).toBe("RejectedError: 401 Bad signature");
  });

  test("a read without an answer is unreachable, and an answer of another server is unexpected", async () => {
    const cut = await started({ secret: SECRET, replies: ["hang up"] });
    expect(await thrownBy(clientOf(cut).trades())).toBeInstanceOf(UnreachableError);
    const replies: Reply[] = [{ status: 404, body: "<html>no such page</html>" }];
    const proxy = await started({ secret: SECRET, replies });
    expect(await thrownBy(clientOf(proxy).trades())).toBeInstanceOf(UnexpectedAnswerError);
  });

  test("no error text contains the secret", async () => {
    const server = await started({ secret: "another", replies: [answer([])] });
    const error = await thrownBy(clientOf(server).trades());
    expect(error instanceof RejectedError && JSON.stringify(error)).not.toContain(SECRET);
  });
});

describe("payout pages [S4.1.cursor]", () => {
  test("payoutItems reads every page and sends each cursor back unchanged", async () => {
    const page = (ids: readonly string[], nextCursor: string | null): Reply =>
      answer({ items: ids.map((id) => ({ id })), nextCursor, accrualStatus: "ok", accrual: null });
    const replies = [page(["w3", "w2"], "c/1="), page([], "c2"), page(["w1"], null)];
    const server = await started({ secret: SECRET, replies });
    const ids: string[] = [];
    for await (const item of payoutItems(clientOf(server), { pageSize: 2 })) ids.push(item.id);
    expect(ids).toEqual(["w3", "w2", "w1"]);
    expect(server.received.map(({ target }) => target)).toEqual([
      "/api/v1/trading/payouts?limit=2",
      "/api/v1/trading/payouts?limit=2&cursor=c%2F1%3D",
      "/api/v1/trading/payouts?limit=2&cursor=c2",
    ]);
    expect(server.received.every(({ verified }) => verified)).toBe(true);
  });
});
