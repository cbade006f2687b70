import ccxt, { type Exchange } from "ccxt";
import { beforeAll, expect, test } from "vitest";
import { type Harness, openHarness } from "../../server/src/testing/harness.ts";
import {
  openUnsentFiguresServer,
  type UnsentFiguresServer,
} from "../../server/src/testing/unsent-figures.ts";
import { createLiveExchange } from "./testing/live-exchange.ts";

const BTC = "BTC/USD:USD";

let service: Harness;
let network: UnsentFiguresServer;
let exchange: Exchange;

beforeAll(async () => {
  service = await openHarness({ seed: "ccxt-unsent" });
  await service.quote("BTCUSD", 50_000, 50_000);
  network = await openUnsentFiguresServer(`http://127.0.0.1:${service.port}`);
  exchange = createLiveExchange(service, { url: network.url });
  await exchange.loadMarkets();
  return async () => {
    await network.close();
    await service.close();
  };
});

test("a market without lot size, step and fee is a market without them", () => {
  expect(exchange.market(BTC)).toMatchObject({ symbol: BTC, active: true });
  expect(exchange.market(BTC).precision.amount).toBeUndefined();
  expect(exchange.market(BTC).contractSize).toBeUndefined();
});

test("an amount is sent as it is where the step is unknown, and the figures of its position are undefined", async () => {
  await exchange.createOrder(BTC, "market", "buy", 0.5);
  const [position] = await exchange.fetchPositions([BTC]);
  expect(position).toMatchObject({ side: "long", contracts: 0.5 });
  expect(position?.entryPrice).toBeUndefined();
  await exchange.closePosition(BTC);
  const [trade] = await exchange.fetchMyTrades(BTC);
  expect(trade).toMatchObject({ symbol: BTC, order: expect.any(String) });
  const { side, amount, price, cost } = trade ?? {};
  expect([side, amount, price, cost]).toEqual([undefined, undefined, undefined, undefined]);
});

test("a balance that the network did not send is undefined", async () => {
  const balance = await exchange.fetchBalance();
  expect([balance.USD?.total, balance.USD?.free]).toEqual([undefined, undefined]);
});

test("prices that the network does not offer are not supported", async () => {
  await expect(exchange.fetchTicker(BTC)).rejects.toBeInstanceOf(ccxt.NotSupported);
  await expect(exchange.fetchOHLCV(BTC)).rejects.toBeInstanceOf(ccxt.NotSupported);
});
