import { LIMITS } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

const CANCEL_ALL = { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" };

describe("POST cancel-all-after answers 429 [D9.cancelAllAfter]", () => {
  const { service, call } = openEndpointUnderTest("cancelAllAfter");

  test("a switch uses no read budget, so a heartbeat may come at any pace [S8.read]", async () => {
    const signer = await service().newKey();
    const replies = await Promise.all(Array.from({ length: 130 }, () => call({ signer })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await service().get("account", { signer })).status).toBe(200);
  });

  test("rejected switches do not pause placement [D2.guard]", async () => {
    const signer = await service().newKey();
    const body = JSON.stringify({ seconds: -1 });
    for (let count = 0; count <= LIMITS.guardRejectionsMax; count += 1) {
      expect((await call({ signer, body })).status).toBe(400);
    }
    expect((await service().order(CANCEL_ALL, { signer })).status).toBe(200);
  });

  test("a key in its cooldown renews its switch and ends it [D12.pausedSwitch]", async () => {
    const signer = await service().newKey();
    for (let count = 0; count < LIMITS.guardRejectionsMax; count += 1) {
      expect((await service().order({}, { signer })).status).toBe(400);
    }
    expect((await service().order(CANCEL_ALL, { signer })).status).toBe(429);
    expect((await call({ signer })).status).toBe(200);
    expect((await call({ signer, body: JSON.stringify({ seconds: 0 }) })).status).toBe(200);
    expect((await service().order(CANCEL_ALL, { signer })).status).toBe(429);
  });
});
