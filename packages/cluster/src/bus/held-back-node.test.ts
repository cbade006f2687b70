import { accountId, pairId, ratio, type TrailingDistance } from "@propgate/core";
import { expect, test } from "vitest";
import { createLoopedMarket } from "../../../server/src/testing/looped-market.ts";
import { madeNumberedQuote } from "../../../server/src/testing/made-numbered-quote.ts";
import { createMadeMessageHub } from "../../../server/src/testing/made-transport.ts";
import { createSharedBus } from "./shared-bus.ts";

const ACCOUNT = accountId("0b9f4b1e-64a5-4b1a-9d3c-2f6f0a7c1d21");
const BTC = pairId("BTCUSD");
const EVERY_MS = 100;

function trailingBy(distance: number): TrailingDistance {
  return { kind: "percent", ratio: ratio(distance) };
}

/** A node whose messages can be held back, and a feed that publishes a quote of BTCUSD every 100 ms. */
async function heldBackNode() {
  const market = createLoopedMarket();
  const { clock } = market.time;
  const hub = createMadeMessageHub();
  const join = (node: string) => {
    const transport = hub.node();
    const log = { warn: () => undefined, error: () => undefined } as never;
    const bus = createSharedBus({
      transport,
      installation: "one",
      sealKeys: [new Uint8Array(32)],
      node,
      instruments: market.instruments,
      clock,
      steadyClock: { nowMs: () => clock.now() },
      feedEpoch: async () => 1,
      log,
    });
    return { bus, transport };
  };
  const feed = join("00000000-0000-4000-8000-000000000001");
  const node = join("00000000-0000-4000-8000-000000000002");
  node.bus.subscribe((quote) => market.loop.push(quote));
  feed.bus.becomeFeed({ epoch: 1, isHeld: () => true, onEpochUsed: () => undefined });
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  const published: number[] = [];
  const publish = async (bid: number): Promise<void> => {
    const number = published.push(bid);
    const atMs = clock.now();
    feed.bus.publish(
      madeNumberedQuote({ number, previous: number - 1, pair: BTC, bid, ask: bid, atMs }),
    );
    if (number % 10 === 0) feed.bus.tick();
    await market.time.pass(EVERY_MS);
    await market.loop.whenSettled();
  };
  return { market, publish, published, transport: node.transport };
}

test.each([0.0005, 0.001, 0.0015])(
  "a node held back for two seconds while the price rises fires no trailing stop of %f, and then one, once",
  async (distance) => {
    const { market, publish, published, transport } = await heldBackNode();
    await publish(50_000);
    await market.open(ACCOUNT);
    await market.buy(ACCOUNT, "BTCUSD", 0.1, {
      legs: [{ stopLoss: null, takeProfit: null, size: null, trailing: trailingBy(distance) }],
    });
    for (let step = 1; step <= 600; step += 1) {
      if (step === 200) transport.hold();
      // From here on, the messages of 20 steps, two seconds of quotes, are held back and then released together.
      if (step > 220 && step % 20 === 0) transport.release();
      if (step > 220 && step % 20 === 1 && step < 600) transport.hold();
      await publish(50_000 + step * 5);
    }
    transport.release();
    await market.loop.whenSettled();
    expect(market.fills().map(([kind]) => kind)).toEqual(["market"]);
    await publish(53_000 * (1 - 2 * distance));
    await publish(53_000 * (1 - 3 * distance));
    const fills = market.fills().slice(1);
    expect(fills).toHaveLength(1);
    expect(published).toContain(fills[0]?.[1]);
    expect(market.positions(ACCOUNT)).toEqual([]);
    expect(market.faults).toEqual([]);
  },
);
