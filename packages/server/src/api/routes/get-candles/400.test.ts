import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET candles answers 400 [D9.candles]", () => {
  const { service } = openEndpointUnderTest("getCandles");

  test.each([
    ["tradePair=XYZABC&interval=1m", "'tradePair' names XYZABC, which is not a known pair"],
    ["tradePair=xyz/abc&interval=1m", "'tradePair' names XYZABC, which is not a known pair"],
    ["interval=1m", "'tradePair' must be one pair identifier"],
    ["tradePair=BTCUSD", "'interval' must be one of 1m, 5m, 15m, 1h, 1d"],
    ["tradePair=BTCUSD&interval=2m", "'interval' must be one of 1m, 5m, 15m, 1h, 1d"],
    ["tradePair=BTCUSD&interval=1m&after=yesterday", "'after' must be a time in Unix milliseconds"],
    ["tradePair=BTCUSD&interval=1m&limit=0", "'limit' must be an integer between 1 and 1000"],
  ])("GET candles answers 400 to ?%s", async (query, error) => {
    const reply = await service().call(`/api/v1/trading/candles?${query}`);
    expect([reply.status, reply.json()]).toEqual([400, { error }]);
  });
});
