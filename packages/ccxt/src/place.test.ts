import ccxt, { type Exchange } from "ccxt";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type Cut,
  type CuttingProxy,
  openCuttingProxy,
} from "../../../test/faults/cutting-proxy.ts";
import { type Harness, openHarness } from "../../server/src/testing/harness.ts";
import { liveExchange } from "./testing/live-exchange.ts";

const BTC = "BTC/USD:USD";
const POST_ORDERS = "POST /api/v1/trading/orders";

let service: Harness;
let proxy: CuttingProxy;
beforeAll(async () => {
  service = await openHarness({ seed: "ccxt-place" });
  await service.quote("BTCUSD", 50_000, 50_000);
});
afterAll(() => service.close());
beforeEach(async () => {
  proxy = await openCuttingProxy(`http://127.0.0.1:${service.port}`);
});
afterEach(async () => {
  service.faults.set({ orders: "ok" });
  await proxy.close();
});

async function trader(options: Readonly<Record<string, unknown>> = {}): Promise<Exchange> {
  const signer = await service.newKey({ accountId: await service.newAccount() });
  const url = new URL(proxy.url).origin;
  const exchange = liveExchange(service, { signer, url, timeout: 1_500, options });
  await exchange.loadMarkets();
  return exchange;
}

async function thrownBy(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    () => new Error("nothing was thrown"),
    (thrown: unknown) => thrown,
  );
  return error instanceof Error ? error : new Error(String(error));
}

/** What is open, by a way that is not cut. */
const held = async (exchange: Exchange): Promise<number> =>
  (await exchange.fetchPosition(BTC)).contracts ?? 0;

describe("an order that got no answer [S4.2.notIdempotent]", () => {
  test("that was carried out is found by its receipt, and placed once", async () => {
    const exchange = await trader({ maxRetriesOnFailure: 3 });
    proxy.cutAt(POST_ORDERS, "behindIt");
    const order = await exchange.createOrder(BTC, "market", "buy", 0.1);
    expect(proxy.wasCut).toBe(true);
    expect(order).toMatchObject({ status: "closed", filled: 0.1 });
    expect(await held(exchange)).toBe(0.1);
  });

  test("that never arrived is a RequestTimeout with its id, which places it at most once", async () => {
    const exchange = await trader({ maxRetriesOnFailure: 3 });
    proxy.cutAt(POST_ORDERS, "beforeIt");
    const error = await thrownBy(exchange.createOrder(BTC, "market", "buy", 0.1));
    expect(error).toBeInstanceOf(ccxt.RequestTimeout);
    expect(error.message).toContain("its receipt says unseen");
    expect(await held(exchange)).toBe(0);
    const clientOrderId: unknown = Reflect.get(error, "clientOrderId");
    const again = { clientOrderId };
    const order = await exchange.createOrder(BTC, "market", "buy", 0.1, undefined, again);
    expect(order).toMatchObject({ status: "closed", clientOrderId });
    const third = await thrownBy(exchange.createOrder(BTC, "market", "buy", 0.1, undefined, again));
    expect(third).toBeInstanceOf(ccxt.DuplicateOrderId);
    expect(await held(exchange)).toBe(0.1);
  });

  test.each(["beforeIt", "behindIt"] satisfies readonly Cut[])(
    "when it is cut %s again and again, what is told is what is there",
    async (cut) => {
      const exchange = await trader();
      for (let round = 1; round <= 3; round += 1) {
        proxy.cutAt(POST_ORDERS, cut);
        await exchange.createOrder(BTC, "market", "buy", 0.1).catch(() => undefined);
      }
      expect(await held(exchange)).toBeCloseTo(cut === "beforeIt" ? 0 : 0.3, 8);
    },
  );

  test("whose answer the network lost is found by its receipt too [D5.unknownFate]", async () => {
    const exchange = await trader();
    service.faults.set({ orders: "acceptThenDrop" });
    const order = await exchange.createOrder(BTC, "market", "buy", 0.1);
    expect(order).toMatchObject({ status: "closed", filled: 0.1 });
    expect(await held(exchange)).toBe(0.1);
  });

  test("from a service that is gone leaves its fate open, and says so", async () => {
    const exchange = await trader();
    await proxy.close();
    const error = await thrownBy(exchange.createOrder(BTC, "market", "buy", 0.1));
    expect(error).toBeInstanceOf(ccxt.RequestTimeout);
    expect(error.message).toContain("nobody can say yet");
    proxy = await openCuttingProxy(`http://127.0.0.1:${service.port}`);
  });
});

describe("an order by its clientOrderId", () => {
  test("is what it was when it was placed, and what it is while it rests", async () => {
    const exchange = await trader();
    const own = { clientOrderId: "my-order/1" };
    const limit = await exchange.createOrder(BTC, "limit", "buy", 0.1, 49_000, own);
    expect(limit.clientOrderId).toBe("my-order/1");
    const found = await exchange.fetchOrderWithClientOrderId("my-order/1");
    expect(found).toMatchObject({ id: limit.id, status: "open", price: 49_000 });
    await exchange.cancelOrder(limit.id ?? "");
    const gone = await exchange.fetchOrderWithClientOrderId("my-order/1");
    expect(gone.id).toBe(limit.id);
    expect([gone.status, gone.filled]).toEqual([undefined, undefined]);
  });

  test("that was refused is refused again in the same words; an unknown one is not found", async () => {
    const exchange = await trader();
    const params = { clientOrderId: "refused-1", stopLoss: { triggerPrice: 60_000 } };
    const first = await thrownBy(
      exchange.createOrder(BTC, "market", "buy", 0.1, undefined, params),
    );
    const again = await thrownBy(exchange.fetchOrderWithClientOrderId("refused-1"));
    expect(first).toBeInstanceOf(ccxt.InvalidOrder);
    expect(again).toBeInstanceOf(ccxt.InvalidOrder);
    expect(again.message).toBe(first.message);
    const unknown = await thrownBy(exchange.fetchOrderWithClientOrderId("never-sent"));
    expect(unknown).toBeInstanceOf(ccxt.OrderNotFound);
  });

  test.each(["", " x", "..", "é", "x".repeat(129)])("cannot be %j", async (clientOrderId) => {
    const exchange = await trader();
    const params = { clientOrderId };
    const error = await thrownBy(exchange.createOrder(BTC, "market", "buy", 1, undefined, params));
    expect(error).toBeInstanceOf(ccxt.InvalidOrder);
  });
});
