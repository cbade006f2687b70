/** Tests the client against the real service, in cases in which the client and the service must agree. */
import { createClient, type OrderRequest } from "@propgate/sdk";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../packages/server/src/testing/harness.ts";

const ORDER: OrderRequest = {
  trade: { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 0.1 },
};
const READS_A_MINUTE = 120;

describe("a client at a service", () => {
  let service: Harness;
  beforeAll(async () => {
    service = await openHarness();
    return () => service.close();
  });
  beforeEach(() => service.quote("BTCUSD", 50_000, 50_000));

  /** A client with a key of its own, so that the test has its own budgets. */
  async function clientOf(now: () => number) {
    const signer = await service.newKey();
    const baseUrl = `http://127.0.0.1:${service.port}`;
    const settling = { wait: () => Promise.resolve() };
    return createClient({ ...signer, baseUrl, now, settling, retry: { attempts: 1 } });
  }
  const serviceNow = (): number => service.time.clock.now();

  test("the client learns an order's fate when its reads are used up and the answer is lost [D10.receiptBudget]", async () => {
    const client = await clientOf(serviceNow);
    await Promise.all(Array.from({ length: READS_A_MINUTE }, () => client.positions()));
    await expect(client.positions()).rejects.toMatchObject({ code: "rateLimited" });
    service.faults.set({ orders: "acceptThenDrop" });
    const outcome = await client.placeOrder(ORDER);
    service.faults.set({ orders: "ok" });
    expect(outcome).toMatchObject({ fate: "accepted", result: { status: "filled" } });
    expect(outcome.evidence.map(({ kind }) => kind)).toEqual(["answer", "receipt"]);
  });

  test("the client withdraws an order that never arrived when its reads are used up [D10.receiptBudget]", async () => {
    const client = await clientOf(serviceNow);
    await Promise.all(Array.from({ length: READS_A_MINUTE }, () => client.positions()));
    expect(await client.settle("never-sent")).toMatchObject({ fate: "rejected", rejection: null });
  });

  test("the client waits as Retry-After says when the receipt reads are used up too [D10.receiptBudget]", async () => {
    const signer = await service.newKey();
    const baseUrl = `http://127.0.0.1:${service.port}`;
    const waited: number[] = [];
    const wait = async (ms: number): Promise<void> => {
      waited.push(ms);
      await service.time.pass(ms);
    };
    const settings = { ...signer, baseUrl, now: serviceNow, settling: { wait } };
    const client = createClient({ ...settings, retry: { attempts: 1 } });
    // The clock stops ten seconds before its minute ends.
    await service.time.pass(60_000 - (serviceNow() % 60_000) + 50_000);
    await Promise.all(Array.from({ length: 60 }, (_, index) => client.receipt(`n-${index}`)));
    await expect(client.receipt("n")).rejects.toMatchObject({
      code: "tooManyReceipts",
      rejection: { retryAfterMs: 10_000 },
    });
    expect(await client.settle("late")).toMatchObject({ fate: "rejected" });
    expect(waited).toEqual([10_000]);
  });

  test("the client places its first order when its clock is years off [D10.clockLearned]", async () => {
    const client = await clientOf(() => Date.parse("2031-03-03T03:03:03Z"));
    expect(await client.placeOrder(ORDER)).toMatchObject({
      fate: "accepted",
      result: { status: "filled" },
    });
  });

  test("the client reports a refusal's code, from the answer and from the receipt [D10.refusalCodes]", async () => {
    const client = await clientOf(serviceNow);
    const { trade } = ORDER;
    const stale = { trade: { ...trade, trade_pair: "EURUSD" } } as OrderRequest;
    const outcome = await client.placeOrder(stale);
    expect(outcome).toMatchObject({
      fate: "rejected",
      refusalCode: "staleQuote",
      rejection: { code: "orderRefused", refusalCode: "staleQuote" },
    });
    expect(await client.settle(outcome.nonce)).toMatchObject({
      fate: "rejected",
      refusalCode: "staleQuote",
    });
    await expect(client.preview(stale)).rejects.toMatchObject({
      rejection: { refusalCode: "staleQuote" },
    });
    const elsewhere = { ...ORDER, accountId: "d2c5b6e4-0000-4000-8000-000000000000" };
    expect(await client.placeOrder(elsewhere)).toMatchObject({ refusalCode: null });
  });
});
