import { type Quote, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import {
  madeCatalogue,
  madeInstrument,
} from "../../../packages/server/src/testing/made-instrument.ts";
import { madeQuote } from "../../../packages/server/src/testing/made-quote.ts";
import { MAIN_SOURCE } from "../price-sources.ts";
import { JournalReader } from "./journal-reader.ts";
import { LineTimes } from "./line-times.ts";
import { PricesGoOn } from "./prices-go-on.ts";
import { WatchedService } from "./watched-service.ts";

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 0.1 };
const LAST = "where seq = (select max(seq) from journal)";

test("the checker of line times finds a line that is older than the one before, and one of the future", async () => {
  await using stack = new AsyncDisposableStack();
  const watched = stack.adopt(await WatchedService.open(), (one) => one.service.close());
  await watched.quote("BTCUSD", 50_000);
  await watched.trade(BUY);
  const found = (statements: readonly string[]) =>
    watched.messagesWhenTampered(statements, (database) =>
      watched.messages(new LineTimes(() => new JournalReader()), { database }),
    );
  expect(await found([])).toEqual([]);
  expect(await found([`update journal set at_ms = 1 ${LAST}`])).toEqual([
    expect.stringContaining("older than the one before"),
  ]);
  expect(await found([`update journal set at_ms = at_ms + 4000 ${LAST}`])).toEqual([]);
  expect(await found([`update journal set at_ms = at_ms + 4001 ${LAST}`])).toEqual([
    expect.stringContaining("is 4001 ms in the future"),
  ]);
});

test("the checker of prices that go on finds a board that keeps an earlier or a later price", async () => {
  await using stack = new AsyncDisposableStack();
  const instruments = madeCatalogue(madeInstrument("SOLUSD", {}));
  const watched = stack.adopt(await WatchedService.open({ instruments }), (one) =>
    one.service.close(),
  );
  const nowMs = watched.service.time.clock.now();
  const quoteAt = (atMs: number): Quote => madeQuote("SOLUSD", 150, 150.1, atMs);
  const fed = [{ source: MAIN_SOURCE, quote: quoteAt(nowMs), turn: 5, steadyMs: 0 }];
  const shown = async (atMs: number) => {
    const quote = quoteAt(atMs);
    const over = { fed, lastFaultTurn: 4, boards: [new Map([[quote.pair, quote]])] };
    return watched.messages(new PricesGoOn(), { ...over, nowMs: unixMs(nowMs) });
  };
  expect(await shown(nowMs)).toEqual([]);
  for (const atMs of [nowMs - 1_000, nowMs + 3_600_000]) {
    expect(await shown(atMs)).toEqual([expect.stringContaining(`SOLUSD of ${atMs}`)]);
  }
});
