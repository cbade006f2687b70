import { accountId, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { createPayoutCursorCodec } from "../../../../../wire/src/cursor.ts";
import { openEarningTrader } from "../../../testing/earning-trader.ts";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET payouts answers 400", () => {
  const { service } = openEndpointUnderTest("getPayouts");

  test.each(["0", "-1", "1.5", "abc", "", "1e2", "+5"])(
    "GET payouts answers 400 to limit=%s [S4.1.limit]",
    async (limit) => {
      const reply = await service().call(`/api/v1/trading/payouts?limit=${limit}`);
      expect([reply.status, reply.text]).toEqual([
        400,
        '{"error":"limit must be an integer between 1 and 200"}',
      ]);
    },
  );

  test("GET payouts answers 400 to a cursor that the API did not return, or not for this account [S4.1.cursor]", async () => {
    const other = createPayoutCursorCodec(Buffer.alloc(32, 9)).encode(accountId("another"), {
      periodStartMs: unixMs(1),
      id: "x",
    });
    for (const cursor of ["", "abc", other]) {
      const reply = await service().call(`/api/v1/trading/payouts?cursor=${cursor}`);
      expect([reply.status, reply.text]).toEqual([400, '{"error":"invalid cursor"}']);
    }
  });

  test("a cursor that was returned to another account, or was changed [S4.1.cursor]", async () => {
    const { signer } = await openEarningTrader(service(), 2);
    const target = "/api/v1/trading/payouts?limit=1";
    const first = await service().call(target, { signer });
    const { data } = first.json() as { readonly data: { readonly nextCursor: string } };
    const cursor = data.nextCursor;
    const own = await service().call(`${target}&cursor=${cursor}`, { signer });
    expect(own.status).toBe(200);
    const foreign = await service().call(`${target}&cursor=${cursor}`);
    expect([foreign.status, foreign.text]).toEqual([400, '{"error":"invalid cursor"}']);
    for (const at of [0, 20, 30, cursor.length - 2]) {
      const other = cursor[at] === "A" ? "B" : "A";
      const forged = `${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`;
      const reply = await service().call(`${target}&cursor=${forged}`, { signer });
      expect([reply.status, reply.text], forged).toEqual([400, '{"error":"invalid cursor"}']);
    }
  });
});
