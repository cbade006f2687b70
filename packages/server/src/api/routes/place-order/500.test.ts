import { describe, expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../testing/each-database.ts";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import { openHarness } from "../../../testing/harness.ts";

const RESTING = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 1,
  limit_price: 40_000,
};

describe("POST orders answers 500 when the network does not answer", () => {
  const { service, call } = openEndpointUnderTest("placeOrder");

  test("the text tells the client to read before it retries [D5.unknownFate] [S4.2.notIdempotent]", async () => {
    service().faults.set({ orders: "acceptThenDrop" });
    const reply = await call();
    expect(reply.status).toBe(500);
    expect(reply.text).toContain("may or may not have been accepted");
    expect(reply.text).toContain("Check positions and orders before retrying");
  });

  test("POST orders answers 500 without the network and says that nothing happened, and nothing did [D5.networkDown]", async () => {
    service().faults.set({ orders: "ok", network: "down" });
    const reply = await service().order(RESTING);
    service().faults.set({ network: "up" });
    expect([reply.status, reply.text]).toEqual([
      500,
      '{"error":"The trading network is unreachable; the order was not accepted"}',
    ]);
    expect((await service().get("orders")).json()).toEqual({ success: true, data: [] });
  });
});

await describeOnEachDatabase("an order that a full disk rejects", (database) => {
  test("an order that a full disk rejects is answered as not accepted, its receipt says the same, and it can be sent again", async () => {
    const service = await openHarness({ database: database() });
    await service.quote("BTCUSD", 50_000, 50_000);
    await database().query(
      `create function fill_disk() returns trigger language plpgsql as
         $$ begin raise 'no space left on device' using errcode = '53100'; end $$;
       create trigger fill_disk before insert on journal for each row execute function fill_disk()`,
    );
    const reply = await service.order(RESTING, { nonce: "rejected" });
    expect([reply.status, reply.text, reply.headers["retry-after"]]).toEqual([
      500,
      '{"error":"The trading network is unreachable; the order was not accepted"}',
      "1",
    ]);
    const receipt = await service.get("receipts/rejected");
    expect(receipt.json()).toMatchObject({ data: { fate: "rejected", status: 500 } });
    await database().query("drop trigger fill_disk on journal");
    expect((await service.order(RESTING)).status).toBe(200);
  });
});
