import { type PairId, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import type { QuotePlace } from "../storage/rows/quote-place.ts";
import { madeNumberedQuote } from "../testing/made-numbered-quote.ts";
import { createManualTime } from "../testing/manual-time.ts";
import { BTC, EUR, SMALL_CATALOGUE } from "../testing/small-market.ts";
import type { DecidedQuotes } from "../trading/executor-port.ts";
import { createQuoteBoard } from "./quote-board.ts";
import { createQuoteReach, type ReceivedPlaces } from "./quote-reach.ts";

const NOON = Date.UTC(2026, 2, 3, 12);
/** Longer than every limit of the catalogue. */
const LONG_MS = 600_000;
const DAY_MS = 86_400_000;

const at = (epoch: number, number: number, held: readonly PairId[] = []): DecidedQuotes => ({
  place: { epoch, number },
  pairs: new Set(held),
});

const BUS = { reached: { epoch: 2, number: 9 }, formerReached: { epoch: 1, number: 7 } };

/** A board that has restored BTCUSD as quote 5 and EURUSD as quote 7 of epoch 1, and its reach. */
async function restored(over: { readonly bus?: ReceivedPlaces } = {}) {
  const time = createManualTime(NOON);
  const board = createQuoteBoard();
  const quotes = [
    madeNumberedQuote({ number: 5, pair: BTC, atMs: NOON }),
    madeNumberedQuote({ number: 7, pair: EUR, atMs: NOON }),
  ];
  const load = async () => quotes.map((quote) => ({ quote, place: quote }));
  await board.restore({ load, save: async () => undefined }, unixMs(NOON));
  const waiting: QuotePlace[] = [];
  const reach = createQuoteReach({
    board,
    instruments: SMALL_CATALOGUE,
    clock: time.clock,
    timer: time.timer,
    bus: over.bus ?? null,
    epoch: () => 2,
    firstWaiting: () => waiting[0] ?? null,
  });
  const show = (pair: string, number: number) =>
    board.show(madeNumberedQuote({ epoch: 2, number, pair, atMs: time.clock.now() }));
  return { time, reach, show, waiting };
}

describe("the reach of a process that makes its own quotes", () => {
  test("is the newest quote that it restored, and everything of its own epoch", async () => {
    const { reach } = await restored();
    const places = [at(0, 0), at(1, 7), at(1, 8), at(2, 900)];
    expect(places.map((place) => reach.has(place))).toEqual([true, true, false, true]);
  });

  test("has later quotes of the former epoch when each fresh quote of it has a newer one", async () => {
    const { reach, show } = await restored();
    show(BTC, 1);
    expect(reach.has(at(1, 8))).toBe(false);
    show(EUR, 2);
    expect(reach.has(at(1, 8))).toBe(true);
  });

  test("has them when the restored quotes are too old to fill an order", async () => {
    const { reach, time } = await restored();
    const reached = reach.wait(at(1, 8), 2 * LONG_MS);
    await time.pass(LONG_MS);
    expect(await reached).toBe(true);
  });

  test("has them for a pair that the account holds when its market is closed or it has a newer quote", async () => {
    const { reach, show, time } = await restored();
    await time.pass(LONG_MS);
    expect([at(1, 8), at(1, 8, [BTC])].map((quotes) => reach.has(quotes))).toEqual([true, false]);
    // Saturday: EURUSD has no new quote until its market opens.
    await time.pass(4 * DAY_MS);
    expect([at(1, 8, [BTC]), at(1, 8, [EUR])].map((quotes) => reach.has(quotes))).toEqual([
      false,
      true,
    ]);
    show(BTC, 1);
    expect(reach.has(at(1, 8, [BTC, EUR]))).toBe(true);
  });

  test("is waited for in the order of the calls, and no longer than the given time", async () => {
    const { reach, time, show } = await restored();
    const ends: string[] = [];
    const wait = (name: string, place: DecidedQuotes, forMs: number) =>
      reach.wait(place, forMs).then((isReached) => ends.push(`${name} ${isReached}`));
    const all = [wait("long", at(1, 8), LONG_MS), wait("short", at(1, 9), 50)];
    await time.pass(50);
    show(BTC, 1);
    show(EUR, 2);
    all.push(wait("late", at(1, 7), LONG_MS));
    await time.pass(10);
    await Promise.all(all);
    expect(ends).toEqual(["short false", "long true", "late true"]);
  });
});

describe("the reach of a node with a bus", () => {
  test("is what has come of the newest feed and does not wait to be shown", async () => {
    const { reach, waiting } = await restored({
      bus: BUS,
    });
    const places = [at(2, 6), at(2, 9), at(2, 10), at(3, 1)];
    expect(places.map((place) => reach.has(place))).toEqual([true, true, false, false]);
    waiting.push({ epoch: 2, number: 7 });
    expect(places.map((place) => reach.has(place))).toEqual([true, false, false, false]);
  });

  test("of a former feed is what came of it, until newer quotes replace what it shows of it", async () => {
    const { reach, show } = await restored({ bus: BUS });
    expect([at(1, 7), at(1, 8)].map((place) => reach.has(place))).toEqual([true, false]);
    show(BTC, 1);
    show(EUR, 2);
    expect(reach.has(at(1, 8))).toBe(true);
  });
});
