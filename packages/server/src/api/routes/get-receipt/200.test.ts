import { type Receipt, receiptPath } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../../../test/eventually.ts";
import { createNonceStore } from "../../../storage/stores/nonces/nonce-store.ts";
import { endpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import { NETWORK_TIMEOUT_MS } from "../../../testing/harness.ts";
import type { Signer } from "../../../testing/signed-request.ts";

const MARKET = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
  stop_loss: 40_000,
};
const NEVER = "The order was not decided in time; it was not carried out and never will be";

describe("GET receipts/{nonce} answers 200 [D9.receipts]", () => {
  const { service } = endpointUnderTest("getReceipt");
  const receipt = async (nonce: string, signer?: Signer): Promise<Receipt> => {
    const by = signer === undefined ? {} : { signer };
    const reply = await service().call(receiptPath(nonce), by);
    expect(reply.status, reply.text).toBe(200);
    const body: { data: Receipt } = JSON.parse(reply.text);
    return body.data;
  };

  test("an order that was carried out has the answer that it got, to the byte", async () => {
    const nonce = "a nonce/with?odd=%characters";
    const answer = await service().order(MARKET, { nonce });
    expect(answer.status).toBe(200);
    const found = await service().call(receiptPath(nonce));
    const result = answer.text.slice('{"success":true,"data":'.length, -1);
    expect(found.text).toContain(`"result":${result},"status":null`);
    expect(await receipt(nonce)).toMatchObject({ nonce, fate: "accepted", error: null });
  });

  test("receipts stay the same to the byte when the nonces of their orders are merged", async () => {
    const { database, time } = service();
    const nonces = ["kept", "kept-refused"];
    await service().order(MARKET, { nonce: "kept" });
    await service().order({ ...MARKET, quantity: "1" }, { nonce: "kept-refused" });
    const texts = () =>
      Promise.all(nonces.map(async (nonce) => (await service().call(receiptPath(nonce))).text));
    const before = await texts();
    const [key] = await database.query<{ key_id: string }>(
      "select key_id from nonces where nonce = 'kept'",
      [],
    );
    const beforeMs = time.clock.now() + 2 * 86_400_000;
    const store = createNonceStore(database);
    expect(await store.merge([key?.key_id ?? ""], { beforeMs, limit: 1_000 })).toBeGreaterThan(1);
    expect(await database.query("select from nonces where nonce = any ($1)", [nonces])).toEqual([]);
    expect(await texts()).toEqual(before);
  });

  test("an order that changed nothing has its answer too", async () => {
    const cancel = { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" };
    await service().order(cancel, { nonce: "cancel-all" });
    await service().order(cancel, { nonce: "cancel-none" });
    const found = await receipt("cancel-none");
    expect([found.fate, found.result?.status]).toEqual(["accepted", "cancelled"]);
  });

  test("an order without an order record has its answer too", async () => {
    const answer = await service().order({ execution_type: "FLAT_ALL" }, { nonce: "flat" });
    const result = answer.text.slice('{"success":true,"data":'.length, -1);
    expect((await service().call(receiptPath("flat"))).text).toContain(`"result":${result},`);
  });

  test.each([
    ["the network", { ...MARKET, stop_loss: 60_000 }, "wrongSide"],
    ["the body", { ...MARKET, quantity: "1" }, null],
  ])(
    "an order that %s refused has status, text and code of the refusal [D10.refusalCodes]",
    async (why, trade, refusalCode) => {
      const nonce = `refused by ${why}`;
      const answer = await service().order(trade, { nonce });
      const { error } = answer.json() as { readonly error: string };
      expect(await receipt(nonce)).toEqual({
        nonce,
        fate: "rejected",
        receivedAtMs: service().time.clock.now(),
        result: null,
        status: 400,
        error,
        refusalCode,
        cancelAllAfter: null,
      });
    },
  );

  test("an order that a gate behind the nonce rejected has status and text of the rejection", async () => {
    const other = "d2c5b6e4-0000-4000-8000-000000000000";
    const body = JSON.stringify({ accountId: other, trade: MARKET });
    await service().order(null, { nonce: "elsewhere", body });
    expect(await receipt("elsewhere")).toMatchObject({ fate: "rejected", status: 403 });
  });

  test("a nonce that is used again keeps the receipt of the first use", async () => {
    await service().order(MARKET, { nonce: "twice" });
    expect((await service().order({ ...MARKET, quantity: 9 }, { nonce: "twice" })).status).toBe(
      409,
    );
    expect(await receipt("twice")).toMatchObject({ fate: "accepted", result: { success: true } });
  });

  test("orders of other keys, reads, previews and unsigned attempts are unseen", async () => {
    await service().order(MARKET, { nonce: "mine" });
    await service().get("account", { nonce: "read" });
    await service().call("/api/v1/trading/preview", {
      method: "POST",
      nonce: "looked",
      body: JSON.stringify({ trade: MARKET }),
    });
    await service().order(MARKET, {
      nonce: "forged",
      signer: { ...service().signer, secret: "sk_wrong" },
    });
    const nothing = { receivedAtMs: null, result: null, status: null, error: null };
    const unseen = { fate: "unseen", ...nothing, refusalCode: null, cancelAllAfter: null };
    expect(await receipt("mine", await service().newKey())).toMatchObject(unseen);
    for (const nonce of ["read", "looked", "forged", "never"])
      expect(await receipt(nonce)).toEqual({ ...unseen, nonce });
  });

  test("an order whose answer was lost has the receipt of a carried-out order", async () => {
    service().faults.set({ orders: "acceptThenDrop" });
    const answer = await service().order(MARKET, { nonce: "dropped" });
    service().faults.set({ orders: "ok" });
    expect(answer.status).toBe(500);
    expect(await receipt("dropped")).toMatchObject({
      fate: "accepted",
      result: { status: "filled" },
    });
  });

  test("an order that never reached the network has a receipt that says so, while the network is still down", async () => {
    service().faults.set({ network: "down" });
    await service().order(MARKET, { nonce: "down" });
    const found = await receipt("down");
    service().faults.set({ network: "up" });
    expect(found).toMatchObject({
      fate: "rejected",
      status: 500,
      error: "The trading network is unreachable; the order was not accepted",
    });
  });

  test("a hanging order is pending, and is never carried out once it is overdue", async () => {
    const signer = await service().newKey();
    service().faults.set({ orders: "hang" });
    const answer = service().order(MARKET, { nonce: "hangs", signer });
    await eventually(async () => {
      expect(await receipt("hangs", signer)).toMatchObject({ fate: "pending" });
    });
    await service().time.pass(NETWORK_TIMEOUT_MS);
    expect((await answer).status).toBe(500);
    expect(await receipt("hangs", signer)).toMatchObject({
      fate: "rejected",
      status: 500,
      error: NEVER,
    });
    service().faults.set({ orders: "ok" });
  });

  test("the order of an account that is not set up yet has a receipt too", async () => {
    const accountId = await service().newAccount({ provisioned: false });
    const signer = await service().newKey({ accountId });
    await service().order(MARKET, { nonce: "early", signer });
    expect(await receipt("early", signer)).toMatchObject({
      fate: "rejected",
      status: 400,
      error: "Account is not ready for trading (missing subaccount_id)",
    });
  });
});
