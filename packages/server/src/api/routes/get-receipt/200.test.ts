import { type Receipt, receiptPath } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../../../test/eventually.ts";
import { createNonceStore } from "../../../../../ledger/src/storage/stores/nonce-store.ts";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import { type CallOptions, NETWORK_TIMEOUT_MS } from "../../../testing/harness.ts";
import type { Signer } from "../../../testing/signed-request.ts";

const MARKET = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
  stop_loss: 40_000,
};
const EMPTY = {
  receivedAtMs: null,
  result: null,
  status: null,
  error: null,
  refusalCode: null,
  cancelAllAfter: null,
};
const NEVER = "The order was not decided in time; it was not carried out and never will be";

describe("GET receipts/{nonce} answers 200 [D9.receipts]", () => {
  const { service } = openEndpointUnderTest("getReceipt");
  const receipt = async (nonce: string, signer?: Signer): Promise<Receipt> => {
    const by = signer === undefined ? {} : { signer };
    const reply = await service().call(receiptPath(nonce), by);
    expect(reply.status, reply.text).toBe(200);
    const body: { data: Receipt } = JSON.parse(reply.text);
    return body.data;
  };

  const old = (): string => String(service().time.clock.now() - 360_000);

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

  test("orders of other keys and unsigned attempts are unseen", async () => {
    await service().order(MARKET, { nonce: "mine" });
    const forged = { ...service().signer, secret: "sk_wrong" };
    await service().order(MARKET, { nonce: "forged", signer: forged });
    await service().get("account", { nonce: "forged", signer: forged });
    await service().get("account", { nonce: "late", timestamp: old() });
    const unseen = { ...EMPTY, fate: "unseen" };
    expect(await receipt("mine", await service().newKey())).toMatchObject(unseen);
    for (const nonce of ["forged", "late", "never"])
      expect(await receipt(nonce)).toEqual({ ...unseen, nonce });
  });

  describe("of a withdrawn nonce [D13.withdrawn]", () => {
    const withdraw = (nonce: string, by: CallOptions = {}) =>
      service().call(receiptPath(nonce), { ...by, nonce });
    const withdrawn = { ...EMPTY, fate: "withdrawn" };

    test("the withdrawal itself says so, and an order that arrives later is not carried out", async () => {
      const signer = await service().newKey({ accountId: await service().newAccount() });
      const reply = await withdraw("w", { signer });
      expect([reply.status, reply.json()]).toEqual([
        200,
        { success: true, data: { ...withdrawn, nonce: "w" } },
      ]);
      expect((await service().order(MARKET, { nonce: "w", signer })).status).toBe(409);
      expect(await receipt("w", signer)).toEqual({ ...withdrawn, nonce: "w" });
      expect((await service().get("positions", { signer })).text).toContain('"data":[]');
      expect(await receipt("w", await service().newKey())).toMatchObject({ fate: "unseen" });
    });

    test("a withdrawal that comes after the order is a 409 and changes nothing", async () => {
      await service().order(MARKET, { nonce: "first" });
      expect((await withdraw("first")).status).toBe(409);
      expect(await receipt("first")).toMatchObject({ fate: "accepted" });
    });

    test("either an order or its withdrawal decides for both when they arrive together", async () => {
      const accountId = await service().newAccount();
      const signer = await service().newKey({ accountId });
      const fates = new Set<string>();
      for (let round = 0; round < 24; round += 1) {
        const nonce = `together-${round}`;
        const order = () =>
          service().order({ ...MARKET, stop_loss: undefined, quantity: 0.001 }, { nonce, signer });
        const read = () => service().get("positions", { nonce, signer });
        const [placed, looked] =
          round % 2 === 0
            ? await Promise.all([order(), read()])
            : await Promise.all([read(), order()]).then((both) => both.toReversed());
        const { fate } = await receipt(nonce, signer);
        fates.add(fate);
        expect([placed?.status, looked?.status, fate]).toEqual(
          fate === "accepted" ? [200, 409, fate] : [409, 200, "withdrawn"],
        );
      }
      expect(fates).toEqual(new Set(["accepted", "withdrawn"]));
    });

    test("reads and previews withdraw as well, and so does a request that a later check rejects", async () => {
      const signer = await service().newKey();
      const placer = await service().newKey({ scopes: ["place"] });
      await service().get("account", { nonce: "read", signer });
      const preview = JSON.stringify({ trade: MARKET });
      const look = { method: "POST", body: preview, signer };
      await service().call("/api/v1/trading/preview", { ...look, nonce: "looked" });
      const elsewhere = "account?accountId=d2c5b6e4-0000-4000-8000-000000000000";
      const foreign = await service().get(elsewhere, { nonce: "foreign", signer });
      expect(foreign.status).toBe(403);
      expect((await withdraw("unscoped", { signer: placer })).status).toBe(403);
      expect((await service().order(MARKET, { nonce: "unscoped", signer: placer })).status).toBe(
        409,
      );
      await Promise.all(Array.from({ length: 120 }, () => service().get("positions", { signer })));
      expect((await service().get("positions", { nonce: "busy", signer })).status).toBe(429);
      for (const nonce of ["read", "looked", "foreign", "busy"])
        expect(await receipt(nonce, signer)).toEqual({ ...withdrawn, nonce });
    });

    test("a withdrawal that fails its signature or its time withdraws nothing", async () => {
      const signer = await service().newKey({ accountId: await service().newAccount() });
      const forged = await withdraw("kept", { signer: { ...signer, secret: "sk_wrong" } });
      const late = await withdraw("kept", { signer, timestamp: old() });
      expect([forged.status, late.status]).toEqual([401, 401]);
      expect(await receipt("kept", signer)).toMatchObject({ fate: "unseen" });
      expect((await service().order(MARKET, { nonce: "kept", signer })).status).toBe(200);
    });

    test("the nonce of cancel-all-after has the receipt of that request", async () => {
      const body = JSON.stringify({ seconds: 0 });
      const path = "/api/v1/trading/cancel-all-after";
      await service().call(path, { method: "POST", nonce: "switch", body });
      expect(await receipt("switch")).toMatchObject({
        fate: "accepted",
        result: null,
        cancelAllAfter: { cancelAllAfter: null },
      });
    });

    test("a nonce stays withdrawn when it is merged", async () => {
      const { database, time } = service();
      const { signer } = service();
      await withdraw("merged");
      const beforeMs = time.clock.now() + 2 * 86_400_000;
      const store = createNonceStore(database);
      expect(await store.merge([signer.keyId], { beforeMs, limit: 1_000 })).toBeGreaterThan(0);
      const left = await database.query("select from nonces where nonce = 'merged'", []);
      expect(left).toEqual([]);
      expect(await receipt("merged")).toEqual({ ...withdrawn, nonce: "merged" });
      expect(await receipt("not-merged")).toMatchObject({ fate: "unseen" });
    });
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
