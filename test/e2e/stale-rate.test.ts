/** Orders on a cross whose conversion rate is stale, over HTTP. */
import { beforeEach, describe, expect, test } from "vitest";
import { startSandbox } from "../../packages/server/src/start/start-sandbox.ts";
import {
  createSandboxClient,
  type SandboxClient,
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
const FIVE_MINUTES_MS = 5 * 60_000;

describe("GBPJPY while USDJPY is stale [D12.staleRate]", () => {
  let client: SandboxClient;
  let nowMs = MONDAY;

  beforeEach(async () => {
    nowMs = MONDAY;
    const sandbox = await startSandbox({
      port: 0,
      startMs: MONDAY,
      seed: "stale-rate",
      clock: "frozen",
      dataDir: null,
      networkTimeoutMs: 15_000,
    });
    client = createSandboxClient(sandbox, () => nowMs);
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
  /** The equity, and whether the account has ended. */
  const account = async () => {
    const { data } = (await read("account")) as {
      data: { account: { currentEquity: number }; evaluation: { isEliminated: boolean } };
    };
    return [data.account.currentEquity, data.evaluation.isEliminated];
  };
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
    // The entry waited for the rate, and fills when the rate is fresh again.
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

  test("a loss on GBPJPY at the USDJPY of five minutes ago ends no account; the next USDJPY decides", async () => {
    await quote("USDJPY", 150);
    await quote("GBPJPY", 200);
    expect(await post("order", { ...ENTRY, quantity: 3 })).toMatchObject({ status: 200 });
    await client.control("POST", "/clock", { advance: FIVE_MINUTES_MS });
    nowMs += FIVE_MINUTES_MS;
    await quote("GBPJPY", 197.4);
    // The loss is 300,000 × 2.6 / 150 = 5,200, which exceeds the 5,000 that may be lost.
    expect(await account()).toEqual([94_800, false]);
    await quote("USDJPY", 160);
    expect(await account()).toEqual([95_125, false]);
    await quote("USDJPY", 155.9);
    expect(await account()).toEqual([expect.any(Number), true]);
  });
});
