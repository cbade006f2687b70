import ccxt from "ccxt";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { openHarness } from "../../../server/src/testing/harness.ts";
import { createLiveExchange } from "../testing/live-exchange.ts";
import { createAccountStream, type StreamContent } from "./account-stream.ts";

const ACCOUNT: StreamContent = { account: true, pairs: [] };
const NOTHING: StreamContent = { account: false, pairs: [] };

test("a watch that ends while an event is handled leaves no place, so the next one begins at the last answer", async () => {
  const service = await openHarness({ seed: "ccxt-account-stream" });
  onTestFinished(() => service.close());
  await service.quote("BTCUSD", 50_000, 50_000);
  const exchange = createLiveExchange(service);
  await exchange.loadMarkets();
  const buy = (): Promise<unknown> =>
    service.order({
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      quantity: 0.01,
    });
  const seen: number[] = [];
  let begun = 0;
  let lastSeen = "0";
  let handled = Promise.withResolvers<undefined>();
  const stream = createAccountStream({
    desk: { ccxt, exchange },
    lastSeen: () => lastSeen,
    onBegin: async () => {
      begun += 1;
    },
    async onEvent({ sequence }) {
      seen.push(sequence);
      await handled.promise;
    },
    onQuote: () => undefined,
    onFailure: () => undefined,
  });
  onTestFinished(() => stream.want(NOTHING));
  await stream.want(ACCOUNT);
  await eventually(() => expect(seen).toEqual([1]));
  await stream.want(NOTHING);
  handled.resolve(undefined);
  handled = Promise.withResolvers();
  handled.resolve(undefined);
  for (let count = 0; count < 3; count += 1) await buy();
  lastSeen = "3";
  await stream.want(ACCOUNT);
  await eventually(async () => {
    await service.time.pass(1_000);
    expect(seen).toContain(4);
  });
  expect([begun, seen]).toEqual([2, [1, 4]]);
});
