import type { EventsPage } from "@propgate/contract";
import { unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import { OWNER, START_MS } from "../../../testing/harness.ts";
import type { Reply, Signer } from "../../../testing/signed-request.ts";

const LIMIT = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
  limit_price: 40_000,
};

describe("GET events answers 401 to a wait whose key has ended [D12.waitEnds]", () => {
  const { service, call } = openEndpointUnderTest("getEvents");
  const INVALID = [401, { error: "Invalid key" }];

  /** Sends a request that waits for the next event. Resolves when the service has begun to wait. */
  const wait = async (signer: Signer): Promise<{ readonly reply: Promise<Reply> }> => {
    const { data } = (await call()).json() as { data: EventsPage };
    const reply = service().get(`events?after=${data.next}&wait=25`, { signer });
    // The next two requests are answered after the poll was admitted, so the poll waits by then.
    await service().get("account");
    await service().get("account");
    return { reply };
  };
  const answered = async (waiting: {
    readonly reply: Promise<Reply>;
  }): Promise<readonly unknown[]> => {
    const reply = await waiting.reply;
    expect(reply.headers["x-service-account-version"]).toBeUndefined();
    return [reply.status, reply.json()];
  };
  /** Changes the key in the database, as another node would: this node's memory still has the unchanged key. */
  const change = async ({ keyId }: Signer, set: string): Promise<void> => {
    await service().database.query(`update keys set ${set} where key_id = $1`, [keyId]);
  };

  const ENDINGS: readonly (readonly [string, string])[] = [
    ["revoked", `revoked_at_ms = ${START_MS}`],
    ["paused", `paused_at_ms = ${START_MS}`],
    ["expired", `expires_at_ms = ${START_MS}`],
    ["no longer allowed from its address", "addresses = '{10.0.0.0/8}'"],
    ["deleted", "key_id = 'former ' || key_id"],
  ];

  test.each(ENDINGS)(
    "a key %s on another node ends the wait within a second",
    async (_how, set) => {
      const signer = await service().newKey();
      const waiting = await wait(signer);
      await change(signer, set);
      await service().time.pass(1_000);
      expect(await answered(waiting)).toEqual(INVALID);
    },
  );

  test.each(ENDINGS)("a wait with a key %s does not answer the next event", async (_how, set) => {
    const signer = await service().newKey();
    const waiting = await wait(signer);
    await change(signer, set);
    expect((await service().order(LIMIT)).status).toBe(200);
    expect(await answered(waiting)).toEqual(INVALID);
  });

  test("a wait answers 401 when its key expires meanwhile", async () => {
    const now = service().time.clock.now();
    const signer = await service().newKey({ expiresAtMs: unixMs(now + 3_000) });
    const waiting = await wait(signer);
    await service().time.pass(2_999);
    // The next request is answered after the key was looked up, so the time of the next look-up is set.
    await service().get("account");
    await service().time.pass(1_000);
    expect(await answered(waiting)).toEqual(INVALID);
  });

  test("a wait answers 401 when the owner's keys are paused", async () => {
    const signer = await service().newKey();
    const waiting = await wait(signer);
    await service().keys.changeOfOwner(OWNER, "pause");
    await service().time.pass(1_000);
    expect(await answered(waiting)).toEqual(INVALID);
    await service().keys.changeOfOwner(OWNER, "resume");
  });

  test("a wait answers 401 while another key of the account goes on to wait", async () => {
    const [ended, stays] = [await service().newKey(), await service().newKey()];
    const waiting = [await wait(ended), await wait(stays)] as const;
    await service().keys.revoke(ended.keyId);
    await service().time.pass(1_000);
    expect(await answered(waiting[0])).toEqual(INVALID);
    expect((await service().order(LIMIT)).status).toBe(200);
    const reply = await waiting[1].reply;
    const { data } = reply.json() as { data: EventsPage };
    expect([reply.status, data.items.length]).toEqual([200, 1]);
  });
});
