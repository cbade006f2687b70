import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../testing/endpoint-statuses.suite.ts";
import { OPERATOR_TOKEN } from "../../testing/harness.ts";
import { sendRequest } from "../../testing/signed-request.ts";

describe("the headers of an order's body", () => {
  const { call, service } = openEndpointUnderTest("placeOrder");

  const TYPE = "application/json";
  test.each([
    [{ "Content-Type": "text/plain" }, "Content-Type must be application/json"],
    [{ "Content-Type": [TYPE, TYPE] }, "Content-Type is given twice"],
    [{ "Content-Type": [TYPE, "text/plain"] }, "Content-Type is given twice"],
    [{ "Content-Type": `${TYPE}, text/plain` }, "Content-Type is given twice"],
    [{ "Content-Type": `${TYPE}; charset=iso-8859-1` }, "charset of Content-Type must be utf-8"],
    [
      { "Content-Encoding": "gzip" },
      "Content-Encoding must be left out: a compressed body is not read",
    ],
    [
      { "Content-Encoding": "identity, br" },
      "Content-Encoding must be left out: a compressed body is not read",
    ],
  ])("POST orders answers 400 to the headers %j [D2.12] [D2.body]", async (headers, error) => {
    const reply = await call({ headers });
    expect([reply.status, reply.json()]).toEqual([400, { error }]);
  });

  test.each([
    { "Content-Type": "Application/JSON; charset=UTF-8" },
    { "Content-Type": `${TYPE};charset="utf-8"` },
    { "Content-Type": TYPE, "Content-Encoding": "identity" },
  ])("POST orders reads a body with the headers %j [D2.body]", async (headers) => {
    const reply = await call({ headers, body: "{}" });
    expect(reply.json()).toEqual({ error: "'trade' is required" });
  });

  test("a call of the operator with a compressed body is refused by the name of the header", async () => {
    const headers = {
      Authorization: `Bearer ${OPERATOR_TOKEN}`,
      "Content-Type": TYPE,
      "Content-Encoding": "gzip",
    };
    const to = { host: "127.0.0.1", port: service().port, method: "POST", headers };
    const reply = await sendRequest({ ...to, path: "/operator/v1/accounts" }, "{}");
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: expect.stringContaining("Content-Encoding must be left out"), field: "body" },
    ]);
  });
});
