import { LIMITS } from "@propgate/contract";
import { pairId } from "@propgate/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  madeCatalogue,
  madeInstrument,
} from "../../../packages/server/src/testing/made-instrument.ts";
import { madeNumberedQuote } from "../../../packages/server/src/testing/made-numbered-quote.ts";
import { ForgedPrices } from "./forged-prices.ts";
import { JournalReader } from "./journal-reader.ts";
import { KeyCooldowns } from "./key-cooldowns.ts";
import { StaleRates } from "./stale-rates.ts";
import { answeredWith, WatchedService } from "./watched-service.ts";

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 0.1 };
const PAUSED = { status: 429, body: { success: false, error: "too_many_failed_requests" } };

describe("the checker of paused keys", () => {
  let watched: WatchedService;
  beforeAll(async () => {
    watched = await WatchedService.open();
    await watched.quote("BTCUSD", 50_000);
  });
  afterAll(() => watched.service.close());

  test("thirty rejected orders of the holder pause a key, and its heartbeats pass", async () => {
    for (let sent = 0; sent < LIMITS.guardRejectionsMax; sent += 1) await watched.trade({});
    const refused = await watched.trade(BUY);
    expect(refused.outcome).toMatchObject({ status: 429 });
    await watched.cancelAllAfter({ seconds: 60 });
    expect(await watched.messages(new KeyCooldowns())).toEqual([]);
  });

  test("an order that is refused by a pause without a cause, and a heartbeat that is refused, are found", async () => {
    await watched.switchTrader();
    const refused = answeredWith(await watched.trade(BUY), PAUSED);
    const ended = [refused, answeredWith(await watched.cancelAllAfter({ seconds: 60 }), PAUSED)];
    watched.observe();
    const untilMs = watched.service.time.clock.now() + LIMITS.guardCooldownMs;
    const isOnlyPaused = `update key_usage
      set cooldown_until_ms = case when key_id = '${refused.keyId}' then ${untilMs} end`;
    const found = await watched.messagesWhenTampered([isOnlyPaused], (database) =>
      watched.messages(new KeyCooldowns(), { ended, database }),
    );
    expect(found).toEqual([
      expect.stringContaining("because its key is paused, by 0 rejected orders"),
      expect.stringContaining("was refused because its key is paused"),
      expect.stringContaining("was paused by 0 rejected orders"),
    ]);
  });
});

test("the checker of forged prices finds the one that a node took", async () => {
  await using stack = new AsyncDisposableStack();
  const watched = stack.adopt(await WatchedService.open(), (one) => one.service.close());
  const quote = madeNumberedQuote({ number: 7, atMs: 1, bid: 50_000, ask: 50_000 });
  const { pair, epoch, number, bid, ask } = quote;
  const checker = new ForgedPrices();
  const forged = [{ pair, epoch, number, bid: 2 * bid, ask: 2 * ask }];
  expect(await watched.messages(checker, { forged, published: [quote] })).toEqual([]);
  const taken = madeNumberedQuote({ number: 7, atMs: 1, bid: 100_000, ask: 100_000 });
  expect(await watched.messages(checker, { published: [taken] })).toEqual([
    "a node took BTCUSD 100000/100000 at 1/7, which no feed published",
  ]);
});

test("the checker of stale rates finds an end at a rate that was too old", async () => {
  const catalogue = (staleAfterMs: number) =>
    madeCatalogue(
      madeInstrument("EURJPY", { assetClass: "forex", lotSize: 100_000 }),
      madeInstrument("USDJPY", { assetClass: "forex", lotSize: 100_000, staleAfterMs }),
    );
  await using stack = new AsyncDisposableStack();
  const instruments = catalogue(60_000);
  const watched = stack.adopt(await WatchedService.open({ instruments }), (one) =>
    one.service.close(),
  );
  await watched.quote("USDJPY", 150);
  await watched.quote("EURJPY", 165);
  const bought = await watched.trade({ ...BUY, trade_pair: "EURJPY", quantity: 1 });
  expect(bought.outcome).toMatchObject({ status: 200 });
  await watched.service.time.pass(10_000);
  await watched.quote("EURJPY", 150);
  const [quick, slow] = [new StaleRates(new JournalReader()), new StaleRates(new JournalReader())];
  expect(instruments.has(pairId("USDJPY"))).toBe(true);
  const at = watched.observe();
  expect(await quick.check(at)).toEqual([]);
  const found = await slow.check({ ...at, instruments: catalogue(9_999) });
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringContaining("accountEliminated: USDJPY was 10000 ms old"),
  ]);
});
