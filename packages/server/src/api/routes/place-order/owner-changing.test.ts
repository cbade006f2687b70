import { receiptPath } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../../testing/harness.ts";

const TEXT =
  "The account is moving to another node; the order was not carried out and never will be. Send it again with a fresh nonce after Retry-After";
const RESTING = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 1,
  limit_price: 40_000,
};

describe("POST orders answers 500 while the account has no node", () => {
  let service: Harness;
  beforeAll(async () => {
    service = await openHarness({
      wrap: (network) => ({
        ...network,
        carryOut: async () => ({ ok: false, error: "ownerChanging" }),
      }),
    });
    return () => service.close();
  });

  test("POST orders answers 500 with Retry-After while the account has no node, and a receipt says that the order was rejected [D5.networkDown] [D9.receipts]", async () => {
    const reply = await service.order(RESTING, { nonce: "moving" });
    expect([reply.status, reply.json(), reply.headers["retry-after"]]).toEqual([
      500,
      { error: TEXT },
      "1",
    ]);
    expect((await service.call(receiptPath("moving"))).json()).toMatchObject({
      data: { fate: "rejected", status: 500, error: TEXT, result: null },
    });
  });
});
