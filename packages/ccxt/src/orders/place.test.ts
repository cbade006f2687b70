import ccxt, { type Exchange } from "ccxt";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type CutAction,
  openTextCuttingProxy,
  type TextCuttingProxy,
} from "../../../../proofs/faults/text-cutting-proxy.ts";
import { type Harness, openHarness } from "../../../server/src/testing/harness.ts";
import { type HalfEnd, openHalfAnswers } from "../testing/half-answers.ts";
import { createLiveExchange } from "../testing/live-exchange.ts";

const BTC = "BTC/USD:USD";
const POST_ORDERS = "POST /api/v1/trading/orders";

let service: Harness;
let proxy: TextCuttingProxy;
beforeAll(async () => {
  service = await openHarness({ seed: "ccxt-place" });
  await service.quote("BTCUSD", 50_000, 50_000);
  return () => service.close();
});
beforeEach(async () => {
  proxy = await openTextCuttingProxy(`http://127.0.0.1:${service.port}`);
  return async () => {
    service.faults.set({ orders: "ok" });
    await proxy.close();
  };
});

async function trader(options: Readonly<Record<string, unknown>> = {}): Promise<Exchange> {
  const signer = await service.newKey({ accountId: await service.newAccount() });
  const url = new URL(proxy.url).origin;
  const exchange = createLiveExchange(service, { signer, url, timeout: 1_500, options });
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

/** The contracts of the open position, read over a connection that is not cut. */
const held = async (exchange: Exchange): Promise<number> =>
  (await exchange.fetchPosition(BTC)).contracts ?? 0;

describe("an order that got no answer [S4.2.notIdempotent]", () => {
  test("an order that was carried out is found by its receipt, and placed once", async () => {
    const exchange = await trader({ maxRetriesOnFailure: 3 });
    proxy.cutAt(POST_ORDERS, "behindIt");
    const order = await exchange.createOrder(BTC, "market", "buy", 0.1);
    expect(proxy.wasCut).toBe(true);
    expect(order).toMatchObject({ status: "closed", filled: 0.1 });
    expect(await held(exchange)).toBe(0.1);
  });

  test("an order that never arrived can no longer be accepted, and may be placed again", async () => {
    const exchange = await trader({ maxRetriesOnFailure: 3 });
    proxy.cutAt(POST_ORDERS, "beforeIt");
    const error = await thrownBy(exchange.createOrder(BTC, "market", "buy", 0.1));
    expect(error).toBeInstanceOf(ccxt.ExchangeNotAvailable);
    expect(error.message).toContain("can no longer be accepted");
    expect(await held(exchange)).toBe(0);
    await exchange.createOrder(BTC, "market", "buy", 0.1);
    expect(await held(exchange)).toBe(0.1);
  });

  test("an order with the bot's own id that never arrived is placed at most once by that id", async () => {
    const exchange = await trader({ maxRetriesOnFailure: 3 });
    proxy.cutAt(POST_ORDERS, "beforeIt");
    const own = { clientOrderId: "own-1" };
    const buy = () => exchange.createOrder(BTC, "market", "buy", 0.1, undefined, own);
    const error = await thrownBy(buy());
    expect(error).toBeInstanceOf(ccxt.RequestTimeout);
    expect(error).toMatchObject({ clientOrderId: "own-1" });
    expect(error.message).toContain("the receipt says unseen");
    expect(await buy()).toMatchObject({ status: "closed", clientOrderId: "own-1" });
    expect(await thrownBy(buy())).toBeInstanceOf(ccxt.DuplicateOrderId);
    expect(await held(exchange)).toBe(0.1);
  });

  test("an order that got no answer after another request had used its id may be placed with another id [D13.withdrawn]", async () => {
    const signer = await service.newKey({ accountId: await service.newAccount() });
    const url = new URL(proxy.url).origin;
    const exchange = createLiveExchange(service, { signer, url, timeout: 1_500 });
    await exchange.loadMarkets();
    await service.get("positions", { signer, nonce: "gone-2" });
    proxy.cutAt(POST_ORDERS, "beforeIt");
    const own = { clientOrderId: "gone-2" };
    const error = await thrownBy(exchange.createOrder(BTC, "market", "buy", 0.1, undefined, own));
    expect(error).toBeInstanceOf(ccxt.ExchangeNotAvailable);
    expect(error.message).toContain("with another clientOrderId");
    expect(await held(exchange)).toBe(0);
  });

  test("an order whose id another request has used is not found, and the error says withdrawn [D13.withdrawn]", async () => {
    const signer = await service.newKey();
    const exchange = createLiveExchange(service, { signer });
    await service.get("positions", { signer, nonce: "gone-1" });
    const error = await thrownBy(exchange.fetchOrderWithClientOrderId("gone-1"));
    expect(error).toBeInstanceOf(ccxt.OrderNotFound);
    expect(error.message).toContain("rejected: withdrawn");
  });

  test.each(["beforeIt", "behindIt"] satisfies readonly CutAction[])(
    "an order whose connection is cut %s repeatedly has the reported fate",
    async (cut) => {
      const exchange = await trader();
      for (let round = 1; round <= 3; round += 1) {
        proxy.cutAt(POST_ORDERS, cut);
        await exchange.createOrder(BTC, "market", "buy", 0.1).catch(() => undefined);
      }
      expect(await held(exchange)).toBeCloseTo(cut === "beforeIt" ? 0 : 0.3, 8);
    },
  );

  test("an order whose answer the network lost is found by its receipt [D5.unknownFate]", async () => {
    const exchange = await trader();
    service.faults.set({ orders: "acceptThenDrop" });
    const order = await exchange.createOrder(BTC, "market", "buy", 0.1);
    expect(order).toMatchObject({ status: "closed", filled: 0.1 });
    expect(await held(exchange)).toBe(0.1);
  });

  test("an order to an unreachable service has an unknown fate", async () => {
    const exchange = await trader();
    await proxy.close();
    const error = await thrownBy(exchange.createOrder(BTC, "market", "buy", 0.1));
    expect(error).toBeInstanceOf(ccxt.RequestTimeout);
    expect(error.message).toContain("it is not known yet");
    proxy = await openTextCuttingProxy(`http://127.0.0.1:${service.port}`);
  });
});

test.each<HalfEnd>(["stops", "is cut"])(
  "an order whose answer %s in its middle is found by its receipt, and placed once [S4.2.notIdempotent]",
  async (end) => {
    const half = await openHalfAnswers(`http://127.0.0.1:${service.port}`, end);
    try {
      const signer = await service.newKey({ accountId: await service.newAccount() });
      const exchange = createLiveExchange(service, { signer, url: half.url, timeout: 1_500 });
      const order = await exchange.createOrder(BTC, "market", "buy", 0.1);
      expect(order).toMatchObject({ status: "closed", filled: 0.1 });
      expect(await held(exchange)).toBe(0.1);
    } finally {
      half.close();
    }
  },
);

describe("an order by its clientOrderId", () => {
  test("an order is found by its clientOrderId as placed and while it is pending", async () => {
    const exchange = await trader();
    const own = { clientOrderId: "my-order/1" };
    const limit = await exchange.createOrder(BTC, "limit", "buy", 0.1, 49_000, own);
    expect(limit.clientOrderId).toBe("my-order/1");
    const found = await exchange.fetchOrderWithClientOrderId("my-order/1");
    expect(found).toMatchObject({ id: limit.id, status: "open", price: 49_000 });
    await exchange.cancelOrder(limit.id ?? "");
    const gone = await exchange.fetchOrderWithClientOrderId("my-order/1");
    expect(gone.id).toBe(limit.id);
    expect([gone.status, gone.filled]).toEqual(["canceled", 0]);
  });

  test("a rejected order throws the same rejection by its clientOrderId, and an unknown order is not found", async () => {
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

  test.each([
    ["the receipt of another order", '"nonce":"never-sent"', '"nonce":"other"', ccxt.BadResponse],
    ["a fate of a newer service", '"fate":"unseen"', '"fate":"held"', ccxt.RequestTimeout],
  ])("%s does not say that there is no order", async (_what, sent, edited, expected) => {
    const exchange = createLiveExchange(service);
    exchange.fetchImplementation = async (...given: Parameters<typeof fetch>) => {
      const response = await fetch(...given);
      return new Response((await response.text()).replace(sent, edited), response);
    };
    const error = await thrownBy(exchange.fetchOrderWithClientOrderId("never-sent"));
    expect(error).toBeInstanceOf(expected);
  });

  test.each(["", " x", "..", "é", "x".repeat(129)])(
    "a clientOrderId cannot be %j",
    async (clientOrderId) => {
      const exchange = await trader();
      const params = { clientOrderId };
      const error = await thrownBy(
        exchange.createOrder(BTC, "market", "buy", 1, undefined, params),
      );
      expect(error).toBeInstanceOf(ccxt.InvalidOrder);
    },
  );
});
