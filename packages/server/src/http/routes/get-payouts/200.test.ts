import { describe, expect, test } from "vitest";
import { endpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET payouts answers 200", () => {
  const { service, call } = endpointUnderTest("getPayouts");

  test("an evaluation earns nothing: not_applicable [S2.5] [S3.accrualStatus]", async () => {
    expect((await call()).json()).toMatchObject({
      success: true,
      data: {
        items: [],
        nextCursor: null,
        accrualStatus: "not_applicable",
        accrual: { estimatedAmount: null },
      },
    });
  });

  test("an account that is not yet set up: the same, not 404 [S3.accrualStatus]", async () => {
    const accountId = await service().newAccount({ provisioned: false });
    const signer = await service().newKey({ accountId });
    const reply = await call({ signer });
    expect(reply.status).toBe(200);
    expect(reply.json()).toMatchObject({ data: { items: [], accrualStatus: "not_applicable" } });
  });

  test.each(["1", "50", "200", "201", "9999", "007"])(
    "limit=%s passes [S4.1.limit]",
    async (limit) => {
      const reply = await service().call(`/api/v1/trading/payouts?limit=${limit}`);
      expect(reply.status).toBe(200);
    },
  );

  test("the query is signed as sent, escapes and all, and what nobody knows is ignored [S5.canonical] [D2.query]", async () => {
    const reply = await service().call("/api/v1/trading/payouts?limit=%35&x=a+b%20c");
    expect(reply.status).toBe(200);
  });
});
