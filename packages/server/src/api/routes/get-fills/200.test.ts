import { describe, expect, test } from "vitest";
import { endpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET fills answers 200", () => {
  const { call } = endpointUnderTest("getFills");

  test("an account without orders has an empty page that continues at the start [D9.fills]", async () => {
    const reply = await call();
    expect([reply.status, reply.json()]).toEqual([
      200,
      { success: true, data: { items: [], next: `0-${"0".repeat(32)}` } },
    ]);
  });
});
