import { expect, test } from "vitest";
import { evolve } from "../../evolve/evolve.ts";
import { accountId, orderUuid, ownerId, pairId } from "../../ids.ts";
import type { Instruments } from "../../market/instrument.ts";
import type { Quotes } from "../../market/quote.ts";
import { decide } from "../../network/decide.ts";
import type { AccountState } from "../../state/account.ts";
import type { Command } from "../../state/command.ts";
import type { Event } from "../../state/event.ts";
import { leverage, price, quantity, ratio, unixMs } from "../../units.ts";
import { CLASSIC_TERMS, TEST_CATALOGUE } from "../catalogue.ts";
import { ExitPromises } from "./exit-promises.ts";

const BTC = pairId("BTCUSD");
const START_MS = 1_767_625_200_000;
const SIZE = { kind: "leverage", leverage: leverage(0.1) } as const;
const OPEN: Command = {
  type: "openAccount",
  accountId: accountId("a"),
  ownerId: ownerId("w"),
  terms: CLASSIC_TERMS,
  provisioned: true,
};
const BUY: Command = {
  type: "placeMarket",
  orderUuid: orderUuid("bought"),
  pair: BTC,
  direction: "long",
  size: SIZE,
  legs: [{ stopLoss: price(95), takeProfit: null, trailing: null, size: null }],
  reduceOnly: false,
};
const SELL: Command = {
  type: "placeLimit",
  orderUuid: orderUuid("sold"),
  pair: BTC,
  direction: "short",
  size: SIZE,
  limitPrice: price(90),
  legs: [],
  reduceOnly: false,
};
const SETTLE: Command = { type: "settlePrices" };

type Submit = (
  command: Command,
  at: { readonly bid: number; readonly second: number; readonly instruments?: Instruments },
) => readonly Event[];

/** Opens an account. The returned function decides a command on it and returns the events. */
function openAccount(): Submit {
  let state: AccountState | null = null;
  const submit: Submit = (command, { bid, second, instruments = TEST_CATALOGUE }) => {
    const now = unixMs(START_MS + second * 1_000);
    const quotes: Quotes = new Map([
      [BTC, { pair: BTC, bid: price(bid), ask: price(bid + 1), atMs: now }],
    ]);
    const decided = decide(state, command, { now, quotes, instruments });
    if (!decided.ok) throw new Error(decided.refusal.code);
    state = decided.value.reduce<AccountState | null>(evolve, state);
    return decided.value;
  };
  submit(OPEN, { bid: 100, second: 0 });
  return submit;
}

/**
 * The events when a stop closes a position, and a limit order in the other direction is placed and filled at the same
 * quote.
 */
function eventsOfStopThenSell(): readonly Event[] {
  const submit = openAccount();
  return [
    ...submit(BUY, { bid: 100, second: 0 }),
    ...submit(SETTLE, { bid: 94, second: 20 }),
    ...submit(SELL, { bid: 94, second: 20 }),
    ...submit(SETTLE, { bid: 94, second: 20 }),
  ];
}

/**
 * Checks the promises for `events` with the test catalogue, and then for the `later` events with the catalogue `then`.
 */
function checkAll(
  events: readonly Event[],
  later: readonly Event[] = [],
  then = TEST_CATALOGUE,
): void {
  const promises = new ExitPromises();
  for (const event of events) promises.take(event, TEST_CATALOGUE);
  for (const event of later) promises.take(event, then);
}

test("an order placed after the close may open at the same quote [D10.oneQuote]", () => {
  const events = eventsOfStopThenSell();
  expect(events.map(({ type }) => type).slice(-4)).toEqual([
    "orderFilled",
    "positionClosed",
    "orderPlaced",
    "orderFilled",
  ]);
  expect(() => checkAll(events)).not.toThrow();
});

test("an order that was pending at the close may not [D10.oneQuote] [D10.exitHeld]", () => {
  const events = eventsOfStopThenSell();
  const placed = events.filter(({ type }) => type === "orderPlaced");
  const others = events.filter(({ type }) => type !== "orderPlaced");
  const stop = others.findIndex(
    (event) => event.type === "orderFilled" && event.effect === "close",
  );
  const doctored = [...others.slice(0, stop), ...placed, ...others.slice(stop)];
  expect(() => checkAll(doctored)).toThrow("opens nothing at the quote that closed its position");
});

test("after the grid became coarser, a leg closes one new step at most [D10.legNeverMore] [D5.grid]", () => {
  const btc = TEST_CATALOGUE.get(BTC);
  if (btc === undefined) throw new Error("the catalogue has no BTCUSD");
  const coarser = new Map(TEST_CATALOGUE).set(BTC, { ...btc, gridStep: quantity(50_000_000) });
  const half = { kind: "bracketPct", ratio: ratio(0.5) } as const;
  const legs = [{ stopLoss: price(95), takeProfit: null, trailing: null, size: half }];
  const submit = openAccount();
  const bought = submit({ ...BUY, legs }, { bid: 100, second: 0 });
  const stopped = submit(SETTLE, { bid: 94, second: 20, instruments: coarser });
  expect(stopped[0]).toMatchObject({ type: "orderFilled", kind: "stopLoss", effect: "close" });

  expect(() => checkAll(bought, stopped, coarser)).not.toThrow();
  expect(() => checkAll(bought, stopped, TEST_CATALOGUE)).toThrow("closes");
});
