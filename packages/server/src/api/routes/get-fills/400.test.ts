import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET fills answers 400 [D9.fills]", () => {
  const { service } = openEndpointUnderTest("getFills");

  test.each([
    ["tradePair=XYZABC", "'tradePair' names XYZABC, which is not a known pair"],
    ["limit=0", "'limit' must be an integer between 1 and 500"],
    ["after=2", "'after' is ahead of the journal (1)"],
  ])("GET fills answers 400 to ?%s", async (query, error) => {
    const reply = await service().call(`/api/v1/trading/fills?${query}`);
    expect([reply.status, reply.json()]).toEqual([400, { error }]);
  });
});
