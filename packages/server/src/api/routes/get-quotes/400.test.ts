import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET quotes answers 400 [D9.quotes]", () => {
  const { service } = openEndpointUnderTest("getQuotes");

  test.each([
    ["BTCUSD,XYZABC", "'pairs' names XYZABC, which is not a known pair"],
    ["", "'pairs' must be pair identifiers with commas between them"],
    ["BTCUSD,", "'pairs' must be pair identifiers with commas between them"],
  ])("GET quotes answers 400 to pairs=%s", async (pairs, error) => {
    const reply = await service().call(`/api/v1/trading/quotes?pairs=${pairs}`);
    expect([reply.status, reply.json()]).toEqual([400, { error }]);
  });
});
