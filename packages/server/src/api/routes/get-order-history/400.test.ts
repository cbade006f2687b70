import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET order-history answers 400 [D9.orderHistory]", () => {
  const { service } = openEndpointUnderTest("getOrderHistory");

  test.each([
    ["tradePair=XYZABC", "'tradePair' names XYZABC, which is not a known pair"],
    ["limit=501", "'limit' must be an integer between 1 and 500"],
    ["since=now", "'since' must be a time in Unix milliseconds"],
    ["after=2", "'after' is ahead of the journal (1)"],
    [`after=1-${"0".repeat(32)}`, "'after': history differs at 1"],
  ])("GET order-history answers 400 to ?%s", async (query, error) => {
    const reply = await service().call(`/api/v1/trading/order-history?${query}`);
    expect([reply.status, reply.json()]).toEqual([400, { error }]);
  });
});
