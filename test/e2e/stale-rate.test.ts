/** Orders on a cross whose conversion rate is stale, over HTTP. */
import { beforeAll, describe, expect, test } from "vitest";
import { startSandbox } from "../../packages/server/src/start/start-sandbox.ts";
import {
  type SandboxClient,
  sandboxClient,
} from "../../packages/server/src/testing/sandbox-client.ts";

const MONDAY = Date.parse("2026-01-05T15:00:00Z");
const ENTRY = {
  execution_type: "MARKET",
  order_type: "LONG",
  trade_pair: "GBPJPY",
  quantity: 0.2,
} as const;
const STALE = "There is no fresh quote for USDJPY; try again shortly";
const OLD_MS = 90_000;

describe("an order on GBPJPY while USDJPY is stale [D12.staleRate]", () => {
  let client: SandboxClient;
  let nowMs = MONDAY;

  beforeAll(async () => {
    const sandbox = await startSandbox({
      port: 0,
      startMs: MONDAY,
      seed: "stale-rate",
      clock: "frozen",
      dataDir: null,
      networkTimeoutMs: 15_000,
    });
    client = sandboxClient(sandbox, () => nowMs);
    return () => sandbox.stop();
  });

  const quote = async (pair: string, price: number): Promise<void> => {
    const { control } = client;
    expect((await control("POST", "/quotes", [{ pair, bid: price, ask: price }])).status).toBe(200);
  };
  const post = async (path: "order" | "preview", trade: object) => {
    const reply = await client[path](trade);
    return { status: reply.status, body: reply.json() };
  };
  const read = async (endpoint: string): Promise<unknown> => (await client.get(endpoint)).json();
  const fills = async () => {
    const { data } = (await read("fills")) as {
      data: { items: { data: { kind: string; rateAgeMs: number | null; quantity: number } }[] };
    };
    return data.items.map(({ data: { kind, quantity, rateAgeMs } }) => [kind, quantity, rateAgeMs]);
  };

  test("an order on GBPJPY while USDJPY is stale is 400 when it would open or add, by name of the rate; exits go on and say its age", async () => {
    await quote("USDJPY", 150);
    await quote("GBPJPY", 200);
    expect(await post("order", ENTRY)).toMatchObject({ status: 200 });
    const stop = { execution_type: "BRACKET", trade_pair: "GBPJPY", stop_loss: 197 };
    expect(await post("order", { ...stop, quantity: 0.1 })).toMatchObject({ status: 200 });
    await client.control("POST", "/clock", { advance: OLD_MS });
    nowMs += OLD_MS;
    await quote("GBPJPY", 200);

    const limit = { ...ENTRY, execution_type: "LIMIT", limit_price: 201 };
    for (const trade of [ENTRY, limit]) {
      for (const path of ["order", "preview"] as const)
        expect(await post(path, trade)).toEqual({ status: 400, body: { error: STALE } });
    }
    expect(await post("order", { ...limit, limit_price: 198 })).toMatchObject({ status: 200 });
    expect(await post("preview", { ...limit, limit_price: 198 })).toMatchObject({
      status: 200,
      body: { data: { quantity: 0.2 } },
    });
    await quote("GBPJPY", 197.9);
    const reduce = { ...ENTRY, order_type: "SHORT", quantity: 0.05 };
    expect(await post("order", reduce)).toMatchObject({ status: 200 });
    await quote("GBPJPY", 196.9);
    expect(await fills()).toEqual([
      ["market", 0.2, null],
      ["market", 0.05, OLD_MS],
      ["stopLoss", 0.1, OLD_MS],
    ]);
    // The entry has waited, and goes on with the rate.
    expect(await read("orders")).toMatchObject({ data: [{ executionType: "LIMIT" }] });
    await quote("USDJPY", 151);
    expect(await read("orders")).toMatchObject({ data: [] });
    const flat = { execution_type: "MARKET", trade_pair: "GBPJPY", order_type: "FLAT" };
    expect(await post("order", flat)).toMatchObject({ status: 200 });
    expect((await fills()).slice(3)).toEqual([
      ["limit", 0.2, null],
      ["closePair", 0.25, null],
    ]);
  });
});
