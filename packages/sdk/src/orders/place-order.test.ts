import { describe, expect, onTestFinished, test } from "vitest";
import { type Client, createClient } from "../client.ts";
import { type Answer, type Reply, startVerifyingServer } from "../testing/verifying-server.ts";
import type { OrderRequest } from "./order-request.ts";
import { OrderFateError, resultOf } from "./order-result.ts";

const SECRET = "sk_test_0123456789abcdef0123456789abcdef";
const ORDER: OrderRequest = {
  trade: {
    execution_type: "LIMIT",
    trade_pair: "btc/usd",
    order_type: "LONG",
    limit_price: 9,
    value: 50,
  },
};
const NOW = Date.parse("2026-01-05T12:00:00Z");

const answer = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });
const refusal = (status: number, error: string, headers = {}): Reply => ({
  status,
  body: { error },
  headers,
});
const RESULT = { success: true, status: "resting", order_uuid: "o1", order: null };
/** Answers the receipt of the nonce that the request's target names. */
const receipt =
  (fate: string, more = {}): Answer =>
  ({ target }) =>
    answer({
      nonce: target.split("/").at(-1),
      fate,
      receivedAtMs: null,
      result: null,
      status: null,
      error: null,
      ...more,
    });
const NONCE_USED = refusal(409, "Nonce", { Date: new Date(NOW).toUTCString() });
const NO_RECEIPTS = refusal(404, "Not found");

async function placing(replies: readonly Answer[], more = {}) {
  const server = await startVerifyingServer({ secret: SECRET, replies });
  onTestFinished(() => server.close());
  const waited: number[] = [];
  const settling = { wait: async (ms: number) => void waited.push(ms) };
  const settings = { baseUrl: server.baseUrl, keyId: "pk_1", secret: SECRET, settling };
  const client: Client = createClient({ ...settings, now: () => NOW, ...more });
  const outcome = await client.placeOrder(ORDER);
  const requests = server.received.map(({ method, target }) => `${method} ${target}`);
  return { outcome, waited, requests, received: server.received };
}

const POST = "POST /api/v1/trading/orders";

describe("an order is sent only once [S4.2.notIdempotent]", () => {
  test.each([
    [400, "The market for BTC/USD is closed", "orderRefused"],
    [401, "Bad signature", "badSignature"],
    [403, "insufficient_scope", "insufficientScope"],
    [429, "too_many_failed_requests", "tooManyFailedRequests"],
    [500, "The trading network is unreachable; the order was not accepted", "networkDown"],
    [500, "Decrypt failed", "decryptFailed"],
  ] as const)("a rejection with %d %s is final", async (status, error, code) => {
    const { outcome, requests } = await placing([refusal(status, error)]);
    const reason = `${status} ${error}`;
    expect(outcome).toMatchObject({ fate: "rejected", reason, rejection: { status, code, error } });
    expect(requests).toEqual([POST]);
  });

  test.each([
    ["a cut connection", "hang up"],
    ["an answer from elsewhere", { status: 200, body: "<html>" }],
    ["a 500", refusal(500, "Internal error")],
    ["a 502 of a proxy", refusal(502, "bad gateway")],
    ["a nonce that a proxy has already sent", NONCE_USED],
    ["a success without a result", answer(null)],
    ["a success with a list", answer([])],
  ] as const)(
    "the client reads the receipt of the order's nonce after %s",
    async (_what, first) => {
      const replies = [first, receipt("accepted", { result: RESULT })];
      const { outcome, requests, received } = await placing(replies);
      expect(outcome).toMatchObject({ fate: "accepted", result: { order_uuid: "o1" } });
      expect(requests).toEqual([POST, `GET /api/v1/trading/receipts/${received[0]?.nonce}`]);
      expect(outcome.nonce).toBe(received[0]?.nonce);
      expect(outcome.evidence).toMatchObject([{}, { kind: "receipt" }]);
    },
  );

  test.each([null, [], {}, { fate: 1 }, "accepted"].map((data) => ({ data })))(
    "a receipt of another form is no answer: %j",
    async ({ data }) => {
      const read = [answer(data), receipt("accepted", { result: RESULT })];
      const { outcome } = await placing(["hang up", ...read]);
      expect(outcome).toMatchObject({ fate: "accepted", result: { order_uuid: "o1" } });
      expect((await placing(["hang up", answer(data)])).outcome.fate).toBe("unknown");
    },
  );

  test.each(["accepted", "rejected", "withdrawn"])(
    "the receipt of another order is no answer, when it says %s",
    async (fate) => {
      const other = receipt(fate, { nonce: "of-another-order", status: 400, error: "no" });
      expect((await placing(["hang up", other])).outcome.fate).toBe("unknown");
      const { outcome } = await placing([
        "hang up",
        other,
        receipt("accepted", { result: RESULT }),
      ]);
      expect(outcome).toMatchObject({ fate: "accepted", result: { order_uuid: "o1" } });
    },
  );

  test("lists of another form show no order", async () => {
    const first = ["hang up", NO_RECEIPTS, NONCE_USED] as const;
    for (const data of [null, {}, [null], [[]], "x"]) {
      const { outcome } = await placing([...first, answer(data)]);
      expect([data, outcome.fate]).toEqual([data, "unknown"]);
    }
  });

  test("a rejected order has the rejection of the lost answer", async () => {
    const refused = receipt("rejected", { status: 400, error: "The market for X is closed" });
    const { outcome } = await placing(["hang up", refused]);
    expect(outcome).toMatchObject({
      fate: "rejected",
      reason: "400 The market for X is closed",
      rejection: { code: "orderRefused" },
    });
  });

  test("the receipt of a pending order is read again after growing waits, up to a limit", async () => {
    const { outcome, waited } = await placing([
      "hang up",
      receipt("pending"),
      receipt("pending"),
      receipt("accepted"),
    ]);
    expect(outcome.fate).toBe("accepted");
    expect(waited).toEqual([100, 200]);
    const never = await placing(["hang up", receipt("pending")]);
    expect(never.outcome).toMatchObject({ fate: "unknown", reason: "the receipt says pending" });
    const since = receipt("pending", { error: "The network has not said since 1970" });
    expect((await placing(["hang up", since])).outcome).toMatchObject({
      reason: "the receipt says pending: The network has not said since 1970",
    });
    expect(never.waited).toEqual([100, 200, 400, 800, 1600, 3200, 4000, 4000]);
    expect(never.requests.filter((one) => one === POST)).toHaveLength(1);
  });

  test("the wait for a receipt follows Retry-After, up to a limit", async () => {
    const busy = refusal(429, "rate_limited", { "Retry-After": "2" });
    const long = refusal(429, "rate_limited", { "Retry-After": "60" });
    const { outcome, waited } = await placing(["hang up", busy, long, receipt("accepted")]);
    expect(outcome.fate).toBe("accepted");
    expect(waited).toEqual([2000, 4000]);
  });
});

describe("an order that has not arrived [S5.R2]", () => {
  test("a withdrawal reads the receipt with the order's nonce, which costs no read [D10.receiptBudget]", async () => {
    const { outcome, requests, received } = await placing([
      "hang up",
      receipt("unseen"),
      receipt("withdrawn"),
    ]);
    expect(outcome).toMatchObject({ fate: "rejected", reason: "withdrawn", rejection: null });
    expect(requests[2]).toBe(`GET /api/v1/trading/receipts/${received[0]?.nonce}`);
    expect(received[2]?.nonce).toBe(received[0]?.nonce);
    expect(received[2]?.verified).toBe(true);
  });

  test("an earlier receipt that a proxy repeats withdraws no order, because the order can still arrive", async () => {
    const unseen = await placing(["hang up", receipt("unseen")]);
    expect(unseen.outcome).toMatchObject({
      fate: "unknown",
      reason: "the answer to the withdrawal does not say that the nonce is used",
    });
    const replies = [receipt("unseen"), receipt("unseen"), receipt("accepted", { result: RESULT })];
    const { outcome } = await placing(["hang up", ...replies]);
    expect(outcome).toMatchObject({ fate: "accepted", result: { order_uuid: "o1" } });
  });

  test("a receipt whose own nonce a proxy has already sent is read again", async () => {
    const replies = ["hang up", NONCE_USED, receipt("accepted", { result: RESULT })] as const;
    expect((await placing(replies)).outcome.fate).toBe("accepted");
  });

  test("an order that arrives during its withdrawal has its fate in the next receipt", async () => {
    const replies = [receipt("unseen"), NONCE_USED, receipt("accepted", { result: RESULT })];
    const { outcome, waited } = await placing(["hang up", ...replies]);
    expect(outcome).toMatchObject({ fate: "accepted", result: { order_uuid: "o1" } });
    expect(waited).toEqual([]);
  });

  test("a withdrawal whose answer was lost is recognized by the next receipt", async () => {
    const replies = [receipt("unseen"), "hang up", receipt("withdrawn")] as const;
    const { outcome, requests } = await placing(["hang up", ...replies]);
    expect(outcome).toMatchObject({ fate: "rejected", reason: "withdrawn", rejection: null });
    expect(requests).toHaveLength(4);
  });

  test("an order whose nonce another request has used is withdrawn, also when cancel-all-after did [D13.withdrawn]", async () => {
    const armed = { cancelAllAfter: { cancelAllAfter: null, processing_time: 0.1 } };
    for (const found of [receipt("withdrawn"), receipt("accepted", armed)]) {
      const { outcome, requests } = await placing(["hang up", found]);
      expect(outcome).toMatchObject({ fate: "rejected", reason: "withdrawn", rejection: null });
      expect(requests).toHaveLength(2);
    }
  });

  test("the fate is unknown without an answer, and the outcome has the nonce for a later settle", async () => {
    const { outcome, requests } = await placing(["hang up"]);
    expect(outcome).toMatchObject({
      fate: "unknown",
      reason: expect.stringContaining("no answer from"),
    });
    expect(requests.filter((one) => one === POST)).toHaveLength(1);
    expect(requests).toHaveLength(10);
  });

  test("an order is settled later by its nonce alone", async () => {
    const replies = [receipt("unseen"), receipt("withdrawn")];
    const server = await startVerifyingServer({ secret: SECRET, replies });
    onTestFinished(() => server.close());
    const client = createClient({ baseUrl: server.baseUrl, keyId: "pk_1", secret: SECRET });
    expect(await client.settle("n-1")).toMatchObject({ fate: "rejected", nonce: "n-1" });
    expect(server.received[1]?.nonce).toBe("n-1");
  });

  test("an order to a closed port was certainly never sent", async () => {
    const server = await startVerifyingServer({ secret: SECRET, replies: [] });
    await server.close();
    const client = createClient({ baseUrl: server.baseUrl, keyId: "pk_1", secret: SECRET });
    expect(await client.placeOrder(ORDER)).toMatchObject({
      fate: "rejected",
      reason: expect.stringContaining(`no answer from ${server.baseUrl}: connection refused`),
    });
  });

  test("a key without the read scope cannot find out an order's fate", async () => {
    const { outcome } = await placing(["hang up", refusal(403, "insufficient_scope")]);
    expect(outcome).toMatchObject({ fate: "unknown", reason: "403 insufficient_scope" });
  });
});

describe("a service without receipts [S4.2.notIdempotent]", () => {
  const resting = {
    orderUuid: "o9",
    tradePair: "BTCUSD",
    tradePairDisplay: "BTC/USD",
    orderType: "LONG",
    executionType: "LIMIT",
    limitPrice: 9,
    value: 50,
    quantity: null,
    leverage: null,
  };

  test("a withdrawn order is rejected by a service without receipts", async () => {
    const { outcome, requests } = await placing(["hang up", NO_RECEIPTS, answer([])]);
    expect(outcome).toMatchObject({ fate: "rejected", rejection: null });
    expect(requests).toHaveLength(3);
  });

  test("a pending order that is listed since it was sent is accepted without receipts", async () => {
    const orders = answer([{ ...resting, processedMs: NOW }]);
    const replies = [NO_RECEIPTS, NONCE_USED, orders, answer([]), answer([])];
    const { outcome } = await placing(["hang up", ...replies]);
    expect(outcome).toMatchObject({ fate: "accepted", result: null });
    expect(outcome.evidence.map(({ kind }) => kind)).toEqual([
      "noAnswer",
      "noReceipts",
      "nonceUsed",
      "listings",
    ]);
    expect(() => resultOf(outcome)).toThrow(OrderFateError);
  });

  test.each([
    ["rested before", { processedMs: NOW - 60_000 }],
    ["is of another size", { processedMs: NOW, value: 51 }],
    ["is of another price", { processedMs: NOW, limitPrice: 10 }],
    ["is of another pair", { processedMs: NOW, tradePair: "ETHUSD", tradePairDisplay: "ETH/USD" }],
  ])(
    "a listed order that %s is not this order, so the fate is unknown without receipts",
    async (_what, more) => {
      const rows = answer([{ ...resting, ...more }]);
      const listings = [rows, answer([]), answer([])];
      const rounds = Array.from({ length: 9 }, () => [NO_RECEIPTS, ...listings]).flat();
      const { outcome } = await placing([
        "hang up",
        NO_RECEIPTS,
        NONCE_USED,
        ...listings,
        ...rounds,
      ]);
      expect(outcome.fate).toBe("unknown");
      expect(outcome.evidence.filter(({ kind }) => kind === "listings")).toHaveLength(1);
    },
  );
});
