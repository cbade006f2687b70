import { receiptPath } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET receipts/{nonce} answers 429", () => {
  const { service, call } = openEndpointUnderTest("getReceipt");
  const statusesOf = (replies: readonly { readonly status: number }[], status: number) =>
    replies.filter((reply) => reply.status === status);

  test("receipt 61 of a clock minute is rejected without X-RateLimit headers [D10.receiptBudget] [S8.headers]", async () => {
    await service().time.pass(15_000);
    const replies = await Promise.all(Array.from({ length: 61 }, () => call()));
    expect(statusesOf(replies, 200)).toHaveLength(60);
    const [rejected, ...more] = statusesOf(replies, 429).map((reply) => reply);
    expect(more).toEqual([]);
    expect(rejected).toMatchObject({ text: '{"error":"too_many_receipts"}' });
    const limited = await call();
    expect(limited.headers["retry-after"]).toBe("45");
    expect(Object.keys(limited.headers).filter((name) => /ratelimit/.test(name))).toEqual([]);
    await service().time.pass(45_000);
    expect((await call()).status).toBe(200);
  });

  test("receipts leave the read budget alone, and reads leave theirs alone [D10.receiptBudget]", async () => {
    const signer = await service().newKey();
    const receipt = () => service().call(receiptPath("never-seen"), { signer });
    const read = () => service().get("positions", { signer });
    const replies = await Promise.all([
      ...Array.from({ length: 60 }, receipt),
      ...Array.from({ length: 120 }, read),
    ]);
    expect(statusesOf(replies, 200)).toHaveLength(180);
    expect((await read()).text).toBe('{"error":"rate_limited"}');
    expect((await receipt()).text).toBe('{"error":"too_many_receipts"}');
  });
});
