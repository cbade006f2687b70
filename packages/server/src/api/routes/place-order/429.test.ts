import { beforeEach, describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import type { Signer } from "../../../testing/signed-request.ts";

const MINUTE_MS = 60_000;
const PAUSED = '{"error":"too_many_failed_requests"}';

describe("POST orders answers 429", () => {
  const { service, call } = openEndpointUnderTest("placeOrder");
  let signer: Signer;
  beforeEach(async () => {
    signer = await service().newKey();
  });
  const sound = async (): Promise<number> => (await call({ signer })).status;
  const reject = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1)
      expect((await call({ signer, body: "{}" })).status).toBe(400);
  };

  test("the 30th rejection within 10 minutes pauses placement for 15 [S8.guard] [D2.9] [D2.retryAfter]", async () => {
    await reject(30);
    const paused = await call({ signer });
    expect([paused.status, paused.text]).toEqual([429, PAUSED]);
    expect(paused.headers["retry-after"]).toBe("900");
    expect(paused.headers["x-ratelimit-limit"]).toBeUndefined();
    await service().time.pass(15 * MINUTE_MS - 1);
    const last = await call({ signer });
    expect([last.status, last.headers["retry-after"]]).toEqual([429, "1"]);
    await service().time.pass(1);
    expect(await sound()).toBe(200);
  });

  test("29 rejections do not pause placement, and a success forgets them [S7.R3]", async () => {
    await reject(29);
    expect(await sound()).toBe(200);
    await reject(29);
    expect((await service().get("account", { signer })).status).toBe(200);
    await reject(29);
    expect(await sound()).toBe(200);
  });

  test("a success does not end a pause that has begun [S7.R3] [D2.guard]", async () => {
    await reject(30);
    expect((await service().get("account", { signer })).status).toBe(200);
    expect(await sound()).toBe(429);
  });

  test("rejections older than 10 minutes no longer count [S8.guard]", async () => {
    await reject(29);
    await service().time.pass(10 * MINUTE_MS + 1);
    await reject(1);
    expect(await sound()).toBe(200);
  });

  test("400 and 403 count; a repeated request, 401 and 500 do not [D2.guard]", async () => {
    const other = "d2c5b6e4-0000-4000-8000-000000000000";
    const rejections = (): Promise<number> => countedOf(signer);
    const nonce = "used-before";
    await call({ signer, nonce });
    await reject(1);
    for (let time = 0; time < 40; time += 1)
      expect((await call({ signer, nonce })).status).toBe(409);
    expect(await rejections()).toBe(1);
    const body = JSON.stringify({ accountId: other, trade: { execution_type: "FLAT_ALL" } });
    expect((await call({ signer, body })).status).toBe(403);
    expect(await rejections()).toBe(2);
    await call({ signer: { ...signer, secret: "sk_wrong" } });
    service().faults.set({ orders: "acceptThenDrop" });
    expect((await call({ signer })).status).toBe(500);
    service().faults.set({ orders: "ok" });
    expect(await rejections()).toBe(2);
  });

  test("orders are not counted, and leave the read budget alone [S8.orders]", async () => {
    const replies = await Promise.all(Array.from({ length: 125 }, sound));
    expect(replies.filter((status) => status !== 200)).toEqual([]);
    expect((await service().get("account", { signer })).status).toBe(200);
  });

  test("a pause stops only the key that earned it [D2.guard]", async () => {
    await reject(30);
    expect((await call()).status).toBe(200);
  });

  async function countedOf({ keyId }: Signer): Promise<number> {
    const keys = await service().keys.list(service().accountId);
    return keys.find((key) => key.keyId === keyId)?.rejections ?? Number.NaN;
  }

  test("a key in its cooldown writes no receipt row; its nonce records the 429 for ever [D10.pausedKey]", async () => {
    await reject(30);
    expect((await call({ signer, nonce: "while-paused" })).status).toBe(429);
    const rows = await service().database.query(
      "select nonce from receipts where nonce = 'while-paused'",
      [],
    );
    expect(rows).toEqual([]);
    await service().time.pass(15 * MINUTE_MS);
    const receipt = await service().call("/api/v1/trading/receipts/while-paused", { signer });
    expect(receipt.json()).toMatchObject({
      data: { fate: "rejected", status: 429, error: "too_many_failed_requests" },
    });
    expect((await call({ signer, nonce: "while-paused" })).status).toBe(409);
    expect(await sound()).toBe(200);
  });
});
