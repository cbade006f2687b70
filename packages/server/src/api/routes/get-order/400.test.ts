import { orderPath } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { expectDescribedAnswer } from "../../../testing/described-answer.ts";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET orders/{orderUuid} answers 400 [D13.answerBytes]", () => {
  const { service, path } = openEndpointUnderTest("getOrder");

  test.each([
    ["yesterday", "'after' must be a cursor: the `next` of a page, the `cursor` of an event"],
    ["1&after=2", "'after' must be a cursor"],
    ["9999999", "'after' is ahead of the journal"],
    [`1-${"0".repeat(32)}`, "'after': history differs at 1"],
  ])("?after=%s is refused with the parameter's name", async (after, error) => {
    const reply = await service().call(`${path()}?after=${after}`);
    expectDescribedAnswer("getOrder", reply);
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(error)]);
  });

  test("an unknown order is 404, also with a wrong `after` [D2.order]", async () => {
    const unknown = orderPath("b4d6f8a0-2c4e-4f6a-8b0d-1e3f5a7c9b2d");
    expect((await service().call(`${unknown}?after=yesterday`)).status).toBe(404);
  });
});
