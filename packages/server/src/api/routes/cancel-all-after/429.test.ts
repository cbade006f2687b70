import { LIMITS } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { endpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST cancel-all-after answers 429 [D9.cancelAllAfter]", () => {
  const { service, call } = endpointUnderTest("cancelAllAfter");

  test("a switch uses no read budget, so a heartbeat may come at any pace [S8.read]", async () => {
    const signer = await service().newKey();
    const replies = await Promise.all(Array.from({ length: 130 }, () => call({ signer })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await service().get("account", { signer })).status).toBe(200);
  });

  test("rejected switches count for the failure guard as rejected orders do [S7.R3] [S8.guard]", async () => {
    const signer = await service().newKey();
    const body = JSON.stringify({ seconds: -1 });
    for (let count = 0; count < LIMITS.guardRejectionsMax; count += 1) {
      expect((await call({ signer, body })).status).toBe(400);
    }
    const reply = await call({ signer });
    expect([reply.status, reply.text]).toEqual([429, '{"error":"too_many_failed_requests"}']);
    expect((await service().order({ execution_type: "FLAT_ALL" }, { signer })).status).toBe(429);
  });
});
