import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET orders/{orderUuid} answers 404 [D9.orderLife]", () => {
  const { service, path } = openEndpointUnderTest("getOrder");

  test.each(["b4d6f8a0-2c4e-4f6a-8b0d-1e3f5a7c9b2d", "x", "%00", "a%20b", "a".repeat(200)])(
    "GET orders/{orderUuid} answers 404 to the id %j, which no order of the account has",
    async (id) => {
      const reply = await service().call(`/api/v1/trading/orders/${id}`);
      expect([reply.status, reply.json()]).toEqual([404, { error: "Order not found" }]);
    },
  );

  test("GET orders/{orderUuid} answers 404 to an order of another account of the same owner", async () => {
    const signer = await service().newKey({ accountId: await service().newAccount() });
    const reply = await service().call(path(), { signer });
    expect([reply.status, reply.json()]).toEqual([404, { error: "Order not found" }]);
  });
});
