import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

const QUOTES = "/api/v1/trading/quotes";

describe("GET quotes answers 200 [D9.quotes]", () => {
  const { service } = openEndpointUnderTest("getQuotes");

  test("the newest quote of each pair that has one, or of the requested pairs, by pair, and whether it still fills", async () => {
    const atMs = service().time.clock.now();
    const bitcoin = { tradePair: "BTCUSD", bid: 50_000, ask: 50_000, atMs, isStale: false };
    expect((await service().call(QUOTES)).json()).toEqual({ success: true, data: [bitcoin] });
    await service().time.pass(60_001);
    await service().quote("EURUSD", 1.1, 1.2);
    const later = service().time.clock.now();
    expect((await service().call(QUOTES)).json()).toEqual({
      success: true,
      data: [
        { ...bitcoin, isStale: true },
        { tradePair: "EURUSD", bid: 1.1, ask: 1.2, atMs: later, isStale: false },
      ],
    });
    // The pair may have any spelling.
    const reply = await service().call(`${QUOTES}?pairs=eur/usd`);
    expect(reply.json()).toMatchObject({ data: [{ tradePair: "EURUSD" }] });
  });
});
