import { describe, expect, test } from "vitest";
import { expectDescribedAnswer } from "../../../testing/described-answer.ts";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET trades answers 400", () => {
  const { service } = openEndpointUnderTest("getTrades");

  test.each([
    ["limit=0", "'limit' must be an integer between 1 and 500"],
    ["limit=501", "'limit' must be an integer between 1 and 500"],
    ["after=", "'after' must be the `next` of a page: the id of a trade"],
    ["after=%27;--", "'after' must be the `next` of a page: the id of a trade"],
    ["after=nobody", "'after' must be the `next` of a page: the id of a trade"],
  ])("a page by %s is 400 [D13.tradesPage]", async (query, error) => {
    const reply = await service().call(`/api/v1/trading/trades?${query}`);
    expectDescribedAnswer("getTrades", reply);
    expect([reply.status, reply.json()]).toEqual([400, { error }]);
  });
});
