import { REFUSALS } from "@propgate/contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { startSilentServer } from "../../../sdk/src/testing/silent-server.ts";
import { startAccountSandbox } from "../testing/account-sandbox.ts";
import { connectAgent } from "../testing/mcp-agent.ts";
import { createLostOrders } from "./lost-orders.ts";
import { readTimeLimits } from "./time-limits.ts";

const TRADING = ["--allow-trading", "--pairs", "BTCUSD", "--max-notional", "5000"];
/** Long enough for an order to be sent on a busy machine. */
const PATIENT = [...TRADING, "--settle-timeout", "5"];
const KEY = { keyId: "pk_x", secret: "sk_x" };
const trade = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" } as const;

async function silentService() {
  const server = await startSilentServer();
  onTestFinished(() => server.close());
  return server;
}

describe("propgate mcp at a service that accepts connections and never answers [D10.settleDeadline]", () => {
  test("an order is answered as unknown with its nonce, and settle_order needs no argument", async () => {
    const { baseUrl } = await silentService();
    const agent = await connectAgent({ ...KEY, baseUrl }, PATIENT);
    const { isError, data } = await agent.call("place_order", { trade: { ...trade, value: 100 } });
    expect([isError, data.fate, data.code]).toEqual([true, "unknown", "unknownFate"]);
    expect(data.nonce).toMatch(/^[0-9a-f]{32}$/);
    const settled = await agent.call("settle_order");
    expect(settled.data).toMatchObject({ fate: "unknown", nonce: data.nonce });
    expect((await agent.call("settle_order", { nonce: "n-1" })).data).toMatchObject({
      fate: "unknown",
      nonce: "n-1",
    });
  });

  test("an order whose worth has to be read first is refused within the limit, and not sent", async () => {
    const { baseUrl, requestLines } = await silentService();
    const agent = await connectAgent({ ...KEY, baseUrl }, [...TRADING, "--settle-timeout", "0.5"]);
    const { data } = await agent.call("place_order", { trade: { ...trade, quantity: 0.01 } });
    expect(data).toMatchObject({
      fate: "rejected",
      nonce: null,
      code: "refusedHere",
      error: expect.stringContaining("the service did not answer in time"),
    });
    expect(requestLines.filter((line) => line.includes("/trading/orders"))).toEqual([]);
  });

  test("an agent whose own patience ends first can settle the order without its nonce", async () => {
    const service = await silentService();
    const agent = await connectAgent({ ...KEY, baseUrl: service.baseUrl }, PATIENT);
    const controller = new AbortController();
    const given = { name: "place_order", arguments: { trade: { ...trade, value: 100 } } };
    const placed = agent.client.callTool(given, { signal: controller.signal });
    await service.arrived(1);
    controller.abort();
    await expect(placed).rejects.toThrow();
    const settled = await agent.call("settle_order");
    expect(settled.data).toMatchObject({ fate: "unknown" });
    expect(settled.data.nonce).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("propgate mcp at a service that answers", () => {
  test("an order that was refused carries its nonce and the refusal's code [D10.refusalCodes]", async () => {
    const sandbox = await startAccountSandbox();
    onTestFinished(() => sandbox.stop());
    const agent = await connectAgent(await sandbox.open(), TRADING);
    const { data } = await agent.call("place_order", { trade: { ...trade, value: 100 } });
    expect(data).toMatchObject({
      fate: "rejected",
      status: 400,
      code: "orderRefused",
      refusalCode: "staleQuote",
      cause: REFUSALS.staleQuote.cause,
    });
    expect(data.nonce).toMatch(/^[0-9a-f]{32}$/);
    const none = await agent.call("settle_order");
    expect([none.isError, none.data.error]).toEqual([
      true,
      "no request of this server has an unknown fate",
    ]);
  });
});

describe("what an agent may have lost", () => {
  test("the last order of an unknown fate is asked for first, then the one before it", () => {
    const lost = createLostOrders();
    expect(lost.lastNonce()).toBeNull();
    for (const nonce of ["a", "b", "c"]) lost.noteSent(nonce, true);
    lost.noteFate("c", "accepted");
    lost.noteFate("b", "unknown");
    expect(lost.lastNonce()).toBe("b");
    lost.noteFate("b", "rejected");
    expect(lost.lastNonce()).toBe("a");
  });

  test.each([
    [undefined, { settleMs: 18_000, figuresMs: 8000 }],
    ["5", { settleMs: 5000, figuresMs: 5000 }],
    ["0.5", { settleMs: 500, figuresMs: 500 }],
  ])(
    "--settle-timeout %s limits the time of an order and of its figures [D10.settleDeadline]",
    (settleTimeout, limits) => {
      expect(readTimeLimits(settleTimeout === undefined ? {} : { settleTimeout })).toEqual(limits);
    },
  );

  test.each(["0", "21", "-1", "1e1", "x"])("--settle-timeout %s is refused", (settleTimeout) => {
    expect(() => readTimeLimits({ settleTimeout })).toThrow("--settle-timeout must be seconds");
  });
});
