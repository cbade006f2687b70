import ccxt, { type Exchange } from "ccxt";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../test/eventually.ts";
import { DAY_MS } from "../../core/src/time/utc-day.ts";
import { type Harness, openHarness } from "../../server/src/testing/harness.ts";
import { createLiveExchange, type LiveOptions } from "./testing/live-exchange.ts";

const BTC = "BTC/USD:USD";

let service: Harness;
beforeEach(async () => {
  service = await openHarness({ seed: "ccxt-clock" });
  await service.quote("BTCUSD", 50_000, 50_000);
  return () => service.close();
});

async function jump(): Promise<void> {
  await service.time.pass(DAY_MS);
  await service.quote("BTCUSD", 50_000, 50_000);
}

function bot(given: LiveOptions = {}): Exchange {
  const exchange = createLiveExchange(service, given);
  onTestFinished(() => exchange.close());
  return exchange;
}

test("a clock that jumps is learned again, for reads and orders alike [D10.clockLearned]", async () => {
  const exchange = bot();
  await exchange.fetchBalance();
  await jump();
  expect(await exchange.fetchBalance()).toHaveProperty("USD");
  await jump();
  const params = { clientOrderId: "after the jump" };
  const order = await exchange.createOrder(BTC, "market", "buy", 0.01, undefined, params);
  expect(order).toMatchObject({ status: "closed", clientOrderId: "after the jump" });
  expect(await exchange.fetchMyTrades(BTC)).toHaveLength(1);
});

test("a bot without `adjustForTimeDifference` gets the rejection, which names the option, and its clock stays [D10.clockLearned]", async () => {
  const exchange = bot({ options: { adjustForTimeDifference: false } });
  await exchange.loadTimeDifference();
  await jump();
  await expect(exchange.fetchBalance()).rejects.toBeInstanceOf(ccxt.InvalidNonce);
  await expect(exchange.fetchBalance()).rejects.toThrow(/options\.adjustForTimeDifference/);
});

test("positions and balance are watched on when the clock jumps", async () => {
  const exchange = bot();
  await exchange.watchPositions();
  await exchange.watchBalance();
  await jump();
  const next = Promise.all([exchange.watchPositions(), exchange.watchBalance()]);
  await service.order({
    execution_type: "MARKET",
    trade_pair: "BTCUSD",
    order_type: "LONG",
    quantity: 1,
  });
  let seen: unknown = null;
  next.then(
    (values) => (seen = values),
    (error: unknown) => (seen = error),
  );
  await eventually(async () => {
    await service.time.pass(1_000);
    expect(seen).not.toBeNull();
  });
  expect(seen).toMatchObject([[{ symbol: BTC, contracts: 1 }], { USD: { total: 99_985 } }]);
});
