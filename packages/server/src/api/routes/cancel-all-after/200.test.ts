import { type Receipt, receiptPath, SIGNED_ENDPOINTS, type SwitchResult } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import type { CallOptions } from "../../../testing/harness.ts";
import type { Signer } from "../../../testing/signed-request.ts";

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 0.1 };
const BID = { ...BUY, execution_type: "LIMIT", limit_price: 40_000 };

describe("POST cancel-all-after answers 200 [D9.cancelAllAfter]", () => {
  const { service, call } = openEndpointUnderTest("cancelAllAfter");
  const arm = async (body: object, options: CallOptions = {}): Promise<SwitchResult> => {
    const reply = await call({ body: JSON.stringify(body), ...options });
    expect(reply.status, reply.text).toBe(200);
    return (reply.json() as { data: SwitchResult }).data;
  };
  const read = async (endpoint: string, signer: Signer): Promise<unknown> =>
    ((await service().get(endpoint, { signer })).json() as { data: unknown }).data;
  const trader = async (): Promise<Signer> => {
    await service().quote("BTCUSD", 50_000, 50_000);
    return service().newKey({ accountId: await service().newAccount() });
  };
  const typesOf = async (signer: Signer): Promise<readonly string[]> => {
    const page = (await read("events", signer)) as { items: readonly { type: string }[] };
    return page.items.map(({ type }) => type);
  };

  test("every call replaces the deadline and 0 ends it; GET account shows it", async () => {
    const signer = await trader();
    const nowMs = service().time.clock.now();
    const first = { atMs: nowMs + 60_000, seconds: 60, action: "cancel" };
    expect(await arm({ seconds: 60 }, { signer })).toEqual({
      cancelAllAfter: first,
      processing_time: 0,
    });
    expect(await read("account", signer)).toMatchObject({ cancelAllAfter: first });
    const second = { atMs: nowMs + 5_000, seconds: 5, action: "flatten" };
    const renewed = await arm({ seconds: 5, action: "flatten" }, { signer });
    expect(renewed.cancelAllAfter).toEqual(second);
    expect(await read("account", signer)).toMatchObject({ cancelAllAfter: second });
    expect((await arm({ seconds: 0 }, { signer })).cancelAllAfter).toBeNull();
    expect((await arm({ seconds: 0 }, { signer })).cancelAllAfter).toBeNull();
    expect(await read("account", signer)).toMatchObject({ cancelAllAfter: null });
    expect(await typesOf(signer)).toEqual([
      "account.opened",
      "switch.armed",
      "switch.armed",
      "switch.ended",
    ]);
  });

  test("a renewal by less than a tenth of its span writes no line, and answers the current deadline [D12.smallRenewal]", async () => {
    const signer = await trader();
    const { database, time } = service();
    const lines = async (): Promise<number> => {
      const [row] = await database.query<{ readonly count: number }>(
        "select count(*)::int as count from journal",
        [],
      );
      return row?.count ?? 0;
    };
    const current = { atMs: time.clock.now() + 60_000, seconds: 60, action: "flatten" };
    await arm({ seconds: 60, action: "flatten" }, { signer });
    const before = await lines();
    for (let renewal = 1; renewal <= 20; renewal += 1) {
      const renewed = await arm({ seconds: 60, action: "flatten" }, { signer });
      expect(renewed.cancelAllAfter).toEqual(current);
    }
    await service().pass(5_999);
    const last = await call({
      body: JSON.stringify({ seconds: 60, action: "flatten" }),
      nonce: "a small renewal",
      signer,
    });
    expect(last.json()).toMatchObject({ data: { cancelAllAfter: current } });
    expect(await lines()).toBe(before);
    const found = await service().call(receiptPath("a small renewal"), { signer });
    expect(found.json()).toMatchObject({
      data: { fate: "accepted", cancelAllAfter: { cancelAllAfter: current } },
    });
    await service().pass(1);
    const moved = await arm({ seconds: 60, action: "flatten" }, { signer });
    expect(moved.cancelAllAfter?.atMs).toBe(current.atMs + 6_000);
    expect(await lines()).toBe(before + 1);
  });

  test("all orders and legs are cancelled at the deadline, once, and the positions stay", async () => {
    const signer = await trader();
    await service().order({ ...BUY, stop_loss: 45_000 }, { signer });
    await service().order(BID, { signer });
    await arm({ seconds: 60 }, { signer });
    await service().pass(59_999);
    expect(await read("orders", signer)).toHaveLength(2);
    await service().pass(1);
    expect(await read("orders", signer)).toEqual([]);
    expect(await read("positions", signer)).toHaveLength(1);
    await service().pass(3_600_000);
    const types = await typesOf(signer);
    expect(types.slice(-3)).toEqual(["switch.fired", "order.cancelled", "order.cancelled"]);
    const { items } = (await read("events", signer)) as { items: readonly object[] };
    expect(items.at(-3)).toMatchObject({ cause: { by: "clock", keyId: null } });
  });

  test("all positions are closed at the quote of the deadline with flatten", async () => {
    const signer = await trader();
    await service().order({ ...BUY, stop_loss: 45_000 }, { signer });
    await arm({ seconds: 1, action: "flatten" }, { signer });
    await service().quote("BTCUSD", 51_000, 51_000);
    await service().pass(1_000);
    expect(await read("positions", signer)).toEqual([]);
    expect(await read("trades", signer)).toMatchObject([
      { closePrice: "51000.00000", status: "CLOSED" },
    ]);
  });

  test("a position without a fresh quote closes at its first one, and its orders are gone at once", async () => {
    const signer = await trader();
    await service().order({ ...BUY, stop_loss: 45_000 }, { signer });
    await arm({ seconds: 3_600, action: "flatten" }, { signer });
    await service().pass(3_600_000);
    expect(await read("orders", signer)).toEqual([]);
    expect(await read("positions", signer)).toHaveLength(1);
    expect(await read("account", signer)).toMatchObject({ cancelAllAfter: null });
    await service().quote("BTCUSD", 52_000, 52_000);
    expect(await read("trades", signer)).toMatchObject([{ closePrice: "52000.00000" }]);
  });

  test("an order after the deadline finds a switch that has fired, and keeps its own receipt [D9.receipts]", async () => {
    const signer = await trader();
    await service().order(BID, { signer });
    await arm({ seconds: 1 }, { signer });
    await service().time.pass(1_500);
    const answer = await service().order(
      { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" },
      { signer },
    );
    expect(answer.json()).toMatchObject({ data: { order_uuid: "", status: "cancelled" } });
  });

  test("the receipt of a switch has the answer to the byte, and unknown fields are named [D9.receipts]", async () => {
    const signer = await trader();
    const body = JSON.stringify({ seconds: 60, acton: "flatten" });
    const answer = await call({ body, nonce: "a heartbeat", signer });
    expect(answer.headers["x-service-ignored-fields"]).toBe("acton");
    const data = answer.text.slice('{"success":true,"data":'.length, -1);
    const found = await service().call(receiptPath("a heartbeat"), { signer });
    expect(found.text).toContain(`"cancelAllAfter":${data},"fate":"accepted"`);
    const { data: receipt } = found.json() as { data: Receipt };
    expect(receipt).toMatchObject({ fate: "accepted", result: null, error: null });
  });

  test("the endpoint is marked as an addition of the trading scope [D9.additive]", () => {
    expect(SIGNED_ENDPOINTS.cancelAllAfter).toMatchObject({ method: "POST", scope: "trade:place" });
  });
});
