import type { CandlesView } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../../testing/harness.ts";

const QUERY = "candles?tradePair=btc/usd&interval=1m&limit=2";

describe("the candles of a page [D9.candles]", () => {
  let service: Harness;
  beforeAll(async () => {
    service = await openHarness();
    for (const bid of [50_000, 50_100, 49_900]) {
      await service.quote("BTCUSD", bid, bid + 10);
      await service.pass(60_000);
    }
    return () => service.close();
  });

  test.each(["owner", "operator"] as const)("an %s reads what the API answers", async (role) => {
    const browser = await service.signIn(role);
    const { data } = (await service.get(QUERY)).json() as { readonly data: CandlesView };
    expect(data.map(({ mid }) => mid.close)).toEqual([50_105, 49_905]);
    expect(await browser.data("GET", `/${QUERY}`)).toEqual(data);
  });

  test("a wrong query is refused with the name of its parameter", async () => {
    const browser = await service.signIn("owner");
    const reply = await browser.call("GET", "/candles?tradePair=BTCUSD&interval=1w");
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: "'interval' must be one of 1m, 5m, 15m, 1h, 1d" },
    ]);
  });

  test("no candles are answered without a session", async () => {
    const reply = await service.call(`/dashboard/v1/${QUERY}`, { signer: null });
    expect(reply.status).toBe(401);
  });
});
