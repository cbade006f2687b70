import { LIMITS, SIGNED_ENDPOINTS } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { deepenedCount } from "../../../../test/environment/depth.ts";
import { type Harness, openHarness } from "../testing/harness.ts";
import { LIMIT_TRADE } from "../testing/long-history-service.ts";
import { type Reply, signedHeaders } from "../testing/signed-request.ts";

/** The number of times that the eavesdropper sends its recordings: 10,000 at depth 1. */
const REPEATS = deepenedCount(10_000, 10 * LIMITS.guardRejectionsMax);
const TOGETHER = 50;
const ARMED = JSON.stringify({ seconds: 60 });

/** The listener is an eavesdropper. It has the bytes of whole requests, but no secret. */
describe("a listener that repeats recorded requests", () => {
  let service: Harness;
  beforeAll(async () => {
    service = await openHarness();
    await service.quote("BTCUSD", 50_000, 50_000);
    return () => service.close();
  });

  /** A request that can be sent again and again, byte for byte. */
  const recorded = (name: "placeOrder" | "cancelAllAfter", body: string) => {
    const { method, path: target } = SIGNED_ENDPOINTS[name];
    const timestamp = String(service.time.clock.now());
    const signed = { method, target, body, timestamp, nonce: `recorded ${name}` };
    const headers = signedHeaders(service.signer, signed);
    return (): Promise<Reply> => service.call(target, { signer: null, method, body, headers });
  };
  const many = async (send: () => Promise<Reply>): Promise<ReadonlySet<number>> => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < REPEATS; sent += TOGETHER) {
      const replies = await Promise.all(Array.from({ length: TOGETHER }, send));
      for (const { status } of replies) statuses.add(status);
    }
    return statuses;
  };
  /** The numbers of rows in the tables that a request of a key may write to, and the number of the key's rejections. */
  const stored = async (): Promise<unknown> => {
    const [counts] = await service.database.query(
      `select (select count(*) from journal) as lines, (select count(*) from nonces) as nonces,
         (select count(*) from receipts) as receipts`,
      [],
    );
    const [key] = await service.keys.list(service.accountId);
    return { counts, rejections: key?.rejections };
  };
  const expectFree = async (): Promise<void> => {
    const order = { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" };
    expect((await service.order(order)).status).toBe(200);
    const { method, path } = SIGNED_ENDPOINTS.cancelAllAfter;
    for (const seconds of [61, 0]) {
      const body = JSON.stringify({ seconds });
      expect((await service.call(path, { method, body })).status).toBe(200);
    }
    expect((await service.get("account")).status).toBe(200);
  };

  test.each([
    ["placeOrder", JSON.stringify({ trade: LIMIT_TRADE })],
    ["cancelAllAfter", ARMED],
  ] as const)(
    "a listener that repeats a recorded %s pauses no key and stores nothing [D2.guard]",
    async (name, body) => {
      const send = recorded(name, body);
      expect((await send()).status).toBe(200);
      const before = await stored();
      expect(await many(send)).toEqual(new Set([409]));
      expect(await stored()).toEqual(before);
      await expectFree();
    },
  );

  test("the heartbeats of a client, however many, write no line before a tenth of their span is over [D12.smallRenewal]", async () => {
    const lines = async (): Promise<number> => {
      const sql = "select count(*)::int as lines from journal";
      const [row] = await service.database.query<{ readonly lines: number }>(sql, []);
      return row?.lines ?? Number.NaN;
    };
    const { method, path } = SIGNED_ENDPOINTS.cancelAllAfter;
    const beat = () => service.call(path, { method, body: ARMED });
    const before = await lines();
    expect(await many(beat)).toEqual(new Set([200]));
    await service.time.pass(5_000);
    expect(await many(beat)).toEqual(new Set([200]));
    expect(await lines()).toBe(before + 1);
  });
});
