import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Client, createClient } from "../client.ts";
import type { ClientSettings } from "../client-settings.ts";
import { AbortedError } from "../errors.ts";
import { startSilentServer } from "../testing/silent-server.ts";
import { startVerifyingServer } from "../testing/verifying-server.ts";
import type { OrderProgress } from "./order-progress.ts";
import type { OrderRequest } from "./order-request.ts";

const SECRET = "sk_test_0123456789abcdef0123456789abcdef";
const ORDER: OrderRequest = { trade: { execution_type: "FLAT_ALL" } };
const POST = "POST /api/v1/trading/orders HTTP/1.1";

async function silent(more: Partial<ClientSettings> = {}) {
  const server = await startSilentServer();
  onTestFinished(() => server.close());
  const sent: string[] = [];
  const counted: typeof fetch = (url, init) => {
    sent.push(`${init?.method} ${new URL(new Request(url).url).pathname}`);
    return fetch(url, init);
  };
  const settings = { baseUrl: server.baseUrl, keyId: "pk_1", secret: SECRET, fetch: counted };
  const client: Client = createClient({ ...settings, newNonce: () => "n-1", ...more });
  /** `sent` counts requests that were aborted before they arrived, too. */
  return { client, server, sent };
}

/** Stops timers and the stopwatch until a test advances them. Connections are real. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

describe("a service that accepts connections and never answers [D10.settleDeadline]", () => {
  test("an order is unknown within 20 s, requests included, and has its nonce", async () => {
    const { client, server } = await silent();
    holdTimers();
    const placed = client.placeOrder(ORDER);
    let isSettled = false;
    void placed.then(() => {
      isSettled = true;
    });
    await server.arrived(1);
    // The first request has its limit of 10 s, and the read of the receipt has the remaining 8 s.
    await vi.advanceTimersByTimeAsync(10_000);
    await server.arrived(2);
    await vi.advanceTimersByTimeAsync(7_999);
    expect(isSettled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await placed).toMatchObject({
      fate: "unknown",
      nonce: "n-1",
      reason: `no answer from ${server.baseUrl}: timed out (it took longer than 10 s)`,
    });
    expect(server.requestLines).toEqual([POST, "GET /api/v1/trading/receipts/n-1 HTTP/1.1"]);
  });

  test("settle ends at the deadline that its caller gives", async () => {
    const { client, server } = await silent();
    holdTimers();
    const settled = client.settle("n-9", { settleTimeoutMs: 50 });
    await server.arrived(1);
    await vi.advanceTimersByTimeAsync(50);
    expect(await settled).toMatchObject({ fate: "unknown", nonce: "n-9" });
  });

  test("a request is cut to the time that is left, and the order is sent once", async () => {
    const { client, server, sent } = await silent({ timeoutMs: 60_000, settleTimeoutMs: 50 });
    holdTimers();
    const placed = client.placeOrder(ORDER);
    await server.arrived(1);
    await vi.advanceTimersByTimeAsync(50);
    expect(await placed).toMatchObject({ fate: "unknown", nonce: "n-1" });
    expect(sent).toEqual(["POST /api/v1/trading/orders"]);
  });

  test("a fetch of the caller's own that ignores its signal does not hold the order", async () => {
    const never: typeof fetch = () => new Promise<Response>(() => {});
    const { client } = await silent({ fetch: never, settleTimeoutMs: 1500 });
    expect(await client.placeOrder(ORDER)).toMatchObject({ fate: "unknown", nonce: "n-1" });
  });

  test("an aborted order resolves with its nonce and does not throw", async () => {
    const { client, server } = await silent();
    const controller = new AbortController();
    const placed = client.placeOrder(ORDER, { signal: controller.signal });
    await server.arrived(1);
    controller.abort();
    expect(await placed).toMatchObject({
      fate: "unknown",
      nonce: "n-1",
      reason: "aborted by the caller",
    });
    expect(server.requestLines).toEqual([POST]);
  });

  test("an order that is aborted before it is sent is rejected", async () => {
    const { client, server } = await silent();
    const outcome = await client.placeOrder(ORDER, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ fate: "rejected", rejection: null, nonce: "n-1" });
    expect(server.requestLines).toEqual([]);
  });

  test("an order that is aborted between two attempts stops waiting", async () => {
    const controller = new AbortController();
    const { client } = await silent({ timeoutMs: 20 });
    const outcome = await client.placeOrder(ORDER, {
      signal: controller.signal,
      onProgress: ({ step }) => void (step === "waiting" && controller.abort()),
    });
    expect(outcome).toMatchObject({ fate: "unknown", reason: "aborted by the caller" });
  });

  test("an aborted read throws AbortedError, and is not repeated", async () => {
    const { client, server } = await silent();
    const controller = new AbortController();
    const read = client.positions({ signal: controller.signal }).catch((error: unknown) => error);
    await server.arrived(1);
    controller.abort("the bot stops");
    const error = await read;
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ code: "aborted", cause: "the bot stops" });
    expect(server.requestLines).toHaveLength(1);
  });

  test.each([
    ["account", (one: Client, given: object) => one.account(given)],
    ["positions", (one: Client, given: object) => one.positions(given)],
    ["pendingOrders", (one: Client, given: object) => one.pendingOrders(given)],
    ["trades", (one: Client, given: object) => one.trades(given)],
    ["payouts", (one: Client, given: object) => one.payouts({}, given)],
    ["preview", (one: Client, given: object) => one.preview(ORDER, given)],
    ["receipt", (one: Client, given: object) => one.receipt("n", given)],
    ["instruments", (one: Client, given: object) => one.instruments(given)],
    ["quotes", (one: Client, given: object) => one.quotes(undefined, given)],
    ["time", (one: Client, given: object) => one.time(given)],
    ["health", (one: Client, given: object) => one.health(given)],
  ])("%s takes a signal and a timeout of its own", async (_name, call) => {
    const { client, sent } = await silent({ retry: { attempts: 1 } });
    await expect(call(client, { timeoutMs: 20 })).rejects.toMatchObject({
      code: "unreachable",
      reason: "timeout",
    });
    await expect(call(client, { signal: AbortSignal.abort() })).rejects.toThrow(AbortedError);
    expect(sent).toHaveLength(1);
  });
});

describe("the progress of an order", () => {
  test("progress names the nonce before the order is sent, then each attempt and each wait", async () => {
    const seen: OrderProgress[] = [];
    const replies = ["hang up", { status: 503, body: { error: "down" } }] as const;
    const server = await startVerifyingServer({ secret: SECRET, replies });
    onTestFinished(() => server.close());
    const settling = { attempts: 2, wait: () => Promise.resolve() };
    const settings = { baseUrl: server.baseUrl, keyId: "pk_1", secret: SECRET, settling };
    const outcome = await createClient(settings).placeOrder(ORDER, {
      onProgress: (progress) => {
        if (progress.step === "sending") expect(server.received).toHaveLength(0);
        seen.push(progress);
      },
    });
    expect(outcome.fate).toBe("unknown");
    expect(seen.map(({ step, waitMs }) => [step, waitMs])).toEqual([
      ["sending", 0],
      ["asking", 0],
      ["waiting", 100],
      ["asking", 0],
    ]);
    expect(seen.map(({ nonce }) => nonce)).toEqual(seen.map(() => outcome.nonce));
    expect(seen[0]?.reason).toBeNull();
    expect(seen[1]?.reason).toContain("the connection was lost");
    expect(seen.every(({ leftMs }) => leftMs > 0 && leftMs <= 18_000)).toBe(true);
  });

  test("an error of the progress hook stops an order only before it is sent", async () => {
    const { client, server } = await silent({ settleTimeoutMs: 500 });
    const full = new Error("the disk is full");
    const refuse = (): never => {
      throw full;
    };
    await expect(client.placeOrder(ORDER, { onProgress: refuse })).rejects.toBe(full);
    expect(server.requestLines).toEqual([]);
    const late = ({ step }: OrderProgress): unknown => step !== "sending" && refuse();
    const options = { timeoutMs: 10, onProgress: late };
    expect(await client.placeOrder(ORDER, options)).toMatchObject({ fate: "unknown" });
  });

  test("an order is sent only after a promise of the hook, which stores the nonce, has been fulfilled", async () => {
    const { client, server, sent } = await silent({ settleTimeoutMs: 500 });
    const full = new Error("the disk is full");
    const refused = client.placeOrder(ORDER, { onProgress: () => Promise.reject(full) });
    await expect(refused).rejects.toBe(full);
    expect(server.requestLines).toEqual([]);
    const sentAtStore: number[] = [];
    const store = async ({ step }: OrderProgress): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      if (step === "sending") sentAtStore.push(sent.length);
      else throw full;
    };
    const options = { timeoutMs: 10, onProgress: store };
    expect(await client.placeOrder(ORDER, options)).toMatchObject({ fate: "unknown" });
    expect(sentAtStore).toEqual([0]);
  });

  test("an order whose hook never ends is not sent, and is rejected at the deadline [D10.settleDeadline]", async () => {
    const { client, server } = await silent({ settleTimeoutMs: 20 });
    const outcome = await client.placeOrder(ORDER, { onProgress: () => new Promise(() => {}) });
    expect(outcome).toMatchObject({ fate: "rejected", nonce: "n-1", rejection: null });
    expect(server.requestLines).toEqual([]);
  });
});
