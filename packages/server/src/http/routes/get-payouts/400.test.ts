import { accountId, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { endpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import { cursors } from "../../cursor.ts";

describe("GET payouts answers 400", () => {
  const { service } = endpointUnderTest("getPayouts");

  test.each(["0", "-1", "1.5", "abc", "", "1e2", "+5"])("limit=%s [S4.1.limit]", async (limit) => {
    const reply = await service().call(`/api/v1/trading/payouts?limit=${limit}`);
    expect([reply.status, reply.text]).toEqual([
      400,
      '{"error":"limit must be an integer between 1 and 200"}',
    ]);
  });

  test("a cursor that the API did not return, or not for this account [S4.1.cursor]", async () => {
    const other = cursors(Buffer.alloc(32, 9)).seal(accountId("another"), {
      periodStartMs: unixMs(1),
      id: "x",
    });
    for (const cursor of ["", "abc", other]) {
      const reply = await service().call(`/api/v1/trading/payouts?cursor=${cursor}`);
      expect([reply.status, reply.text]).toEqual([400, '{"error":"invalid cursor"}']);
    }
  });
});
