import { pairId, price, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createQuoteStore } from "./quote-store.ts";

const quote = (pair: string, bid: number, atMs: number) => ({
  pair: pairId(pair),
  bid: price(bid),
  ask: price(bid + 1),
  atMs: unixMs(atMs),
});

await describeOnEachDatabase("the last quotes", (database) => {
  test("the newest quote of each pair is stored with its place, and an older one never replaces it", async () => {
    const store = createQuoteStore(database());
    const stored = (pair: string, bid: number, atMs: number) => ({
      quote: quote(pair, bid, atMs),
      place: { epoch: 1, number: atMs },
      source: `source ${bid}`,
    });
    await store.save([]);
    await store.save([stored("BTCUSD", 50_000.25, 1000), stored("EURUSD", 1.1, 1000)]);
    await store.save([stored("BTCUSD", 50_001, 2000), stored("BTCUSD", 50_002, 3000)]);
    await store.save([stored("BTCUSD", 1, 2500)]);
    expect(await store.load()).toEqual([
      stored("BTCUSD", 50_002, 3000),
      stored("EURUSD", 1.1, 1000),
    ]);
  });
});
