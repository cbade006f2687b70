import { type PairId, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import type { QuotePosition } from "../../../ledger/src/storage/rows/quote-position.ts";
import type { DecidedQuotes } from "../../../ledger/src/trading/executor-port.ts";
import { madeNumberedQuote } from "../../../server/src/testing/made-numbered-quote.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import { BTCUSD, EURUSD, SMALL_CATALOGUE } from "../../../server/src/testing/small-market.ts";
import { createQuoteBarrier, type ReceivedQuotes } from "./quote-barrier.ts";
import { createQuoteBoard } from "./quote-board.ts";
import type { NumberedQuote } from "./quotes/numbered-quote.ts";

const NOON = Date.UTC(2026, 2, 3, 12);
/** A time longer than every limit of the catalogue. */
const LONG_MS = 600_000;
const DAY_MS = 86_400_000;

const at = (epoch: number, number: number, read: readonly PairId[] = []): DecidedQuotes => ({
  place: { epoch, number },
  lostEpoch: 0,
  isDecidedHere: false,
  pairs: () => read,
});

const REACHED = new Map([
  [1, 7],
  [2, 9],
]);
const BUS: ReceivedQuotes = {
  reached: { epoch: 2, number: 9 },
  reachedIn: (epoch) => REACHED.get(epoch) ?? 0,
};

/**
 * Makes the barrier of a board that has restored quotes: number 5 of BTCUSD and number 7 of EURUSD in epoch 1, or those
 * in `places`.
 */
async function restored(
  over: {
    readonly bus?: ReceivedQuotes;
    readonly places?: Readonly<Record<string, QuotePosition>>;
    readonly epoch?: number;
  } = {},
) {
  const time = createManualTime(NOON);
  const board = createQuoteBoard();
  const places = over.places ?? { [BTCUSD]: at(1, 5).place, [EURUSD]: at(1, 7).place };
  const load = async () =>
    Object.entries(places).map(([pair, place]) => ({
      quote: madeNumberedQuote({ number: place.number, pair, atMs: NOON }),
      place,
      source: "replay",
    }));
  await board.restore({ load, save: async () => undefined }, unixMs(NOON));
  const waiting: NumberedQuote[] = [];
  const barrier = createQuoteBarrier({
    board,
    instruments: SMALL_CATALOGUE,
    clock: time.clock,
    timer: time.timer,
    bus: over.bus ?? null,
    epoch: () => over.epoch ?? 2,
    firstWaiting: () => waiting,
  });
  const show = (pair: string, number: number) =>
    board.show(madeNumberedQuote({ epoch: 2, number, pair, atMs: time.clock.now() }));
  return { time, board, barrier, show, waiting };
}

describe("the reach of a process that makes its own quotes", () => {
  test("the reach of a process with its own quotes is the newest quote that it restored, and everything of its own epoch", async () => {
    const { barrier } = await restored();
    const places = [at(0, 0), at(1, 7, [BTCUSD]), at(1, 8, [BTCUSD]), at(2, 900)];
    expect(places.map((place) => barrier.allows(place))).toEqual([true, true, false, true]);
  });

  test("the reach of a process with its own quotes has not the end of an epoch before the last one of which it restored less", async () => {
    const restoredPlaces = { [BTCUSD]: at(1, 5).place, [EURUSD]: at(2, 7).place };
    const { barrier } = await restored({ places: restoredPlaces, epoch: 3 });
    const places = [at(1, 5, [BTCUSD]), at(1, 6, [BTCUSD]), at(1, 6, [EURUSD])];
    expect(places.map((place) => barrier.allows(place))).toEqual([true, false, true]);
  });

  test("the reach of a process with its own quotes has later quotes of the former epoch when each pair that is read has a newer one", async () => {
    const { barrier, show } = await restored();
    show(BTCUSD, 1);
    expect(
      [at(1, 8, [BTCUSD, EURUSD]), at(1, 8, [BTCUSD])].map((quotes) => barrier.allows(quotes)),
    ).toEqual([false, true]);
    show(EURUSD, 2);
    expect(barrier.allows(at(1, 8, [BTCUSD, EURUSD]))).toBe(true);
  });

  test("the reach of a process with its own quotes has later quotes when nothing is read, or for a pair whose market is closed", async () => {
    const { barrier, time } = await restored();
    expect(barrier.allows(at(1, 8))).toBe(true);
    // On Saturday EURUSD gets no new quote until its market opens.
    await time.pass(4 * DAY_MS);
    expect(
      [at(1, 8, [BTCUSD]), at(1, 8, [EURUSD])].map((quotes) => barrier.allows(quotes)),
    ).toEqual([false, true]);
  });

  test("the reach of a process with its own quotes waits for no quote of a halted pair, so the exits of other pairs are not held back [D13.judges]", async () => {
    const { board, barrier, show } = await restored();
    show(EURUSD, 1);
    expect(barrier.allows(at(1, 8, [BTCUSD, EURUSD]))).toBe(false);
    board.halt(BTCUSD, "operator");
    expect(barrier.allows(at(1, 8, [BTCUSD, EURUSD]))).toBe(true);
    // After the halt the quote counts as halted until the pair has another one.
    board.lift(BTCUSD, "operator");
    expect(barrier.allows(at(1, 8, [BTCUSD, EURUSD]))).toBe(true);
  });

  test("the reach of a process with its own quotes waits for no halted pair that has no quote at all [D13.judges]", async () => {
    const { board, barrier } = await restored({ places: { [EURUSD]: at(1, 7).place } });
    board.halt(BTCUSD, "operator");
    expect(barrier.allows(at(1, 8, [BTCUSD]))).toBe(true);
  });

  test("the reach of a process with its own quotes has no older quote for an account that was decided at lost ones, also when it was decided since", async () => {
    const { barrier, show } = await restored();
    const lostEpoch = barrier.lostEpoch(at(1, 8));
    expect([lostEpoch, barrier.lostEpoch(at(1, 7)), barrier.lostEpoch(at(2, 1))]).toEqual([
      1, 0, 0,
    ]);
    const moved: DecidedQuotes = { ...at(2, 1, [BTCUSD]), lostEpoch };
    const decided: DecidedQuotes = { ...moved, isDecidedHere: true };
    expect([moved, decided].map((quotes) => barrier.allows(quotes))).toEqual([false, false]);
    expect([moved, decided].map((quotes) => barrier.lostEpoch(quotes))).toEqual([1, 1]);
    show(BTCUSD, 1);
    expect([moved, decided].map((quotes) => barrier.allows(quotes))).toEqual([true, true]);
  });

  test("the reach of a process with its own quotes has not a pair whose only quotes were lost, while they could be fresh [D13.judges]", async () => {
    const { barrier, show, time } = await restored({ places: { [EURUSD]: at(1, 7).place } });
    const lost = at(1, 8, [BTCUSD]);
    await time.pass(600_000);
    // No quote of the new feed has come, so the former feed may have sent quotes until this moment.
    expect(barrier.allows(lost)).toBe(false);
    show(EURUSD, 1);
    await time.pass(60_000);
    show(EURUSD, 2);
    expect([lost, at(1, 8, [EURUSD])].map((quotes) => barrier.allows(quotes))).toEqual([
      false,
      true,
    ]);
    await time.pass(1);
    expect(barrier.allows(lost)).toBe(true);
  });

  test("the reach is waited for in the order of the calls, and no longer than the given time", async () => {
    const { barrier, time, show } = await restored();
    const ends: string[] = [];
    const wait = (name: string, place: DecidedQuotes, forMs: number) =>
      barrier.wait(place, forMs).then((isReached) => ends.push(`${name} ${isReached}`));
    const all = [wait("long", at(1, 8, [BTCUSD]), LONG_MS), wait("short", at(1, 9, [BTCUSD]), 50)];
    await time.pass(50);
    show(BTCUSD, 1);
    all.push(wait("late", at(1, 7, [EURUSD]), LONG_MS));
    show(EURUSD, 2);
    await time.pass(10);
    await Promise.all(all);
    expect(ends).toEqual(["short false", "long true", "late true"]);
  });
});

describe("the reach of a node with a bus", () => {
  test("the reach of a node with a bus is what has come of the newest feed and does not wait to be shown", async () => {
    const { barrier, show, waiting } = await restored({ bus: BUS });
    show(BTCUSD, 6);
    const places = [at(2, 6), at(2, 9), at(2, 10), at(3, 1)];
    expect(places.map((place) => barrier.allows(place))).toEqual([true, true, false, false]);
    const quote = madeNumberedQuote({ epoch: 2, number: 7, pair: BTCUSD, atMs: NOON });
    waiting.push({ ...quote, previous: 6 });
    expect(places.map((place) => barrier.allows(place))).toEqual([true, false, false, false]);
  });

  test("the reach of a node with a bus lacks what a waiting quote stands for, because quotes of its pair before it were merged away", async () => {
    const { barrier, show, waiting } = await restored({ bus: BUS });
    show(BTCUSD, 2);
    const quote = madeNumberedQuote({ epoch: 2, number: 9, pair: BTCUSD, atMs: NOON });
    const places = [at(2, 2), at(2, 8)];
    waiting.push({ ...quote, previous: 2 });
    expect(places.map((place) => barrier.allows(place))).toEqual([true, true]);
    waiting.splice(0, 1, { ...quote, previous: 6 });
    expect(places.map((place) => barrier.allows(place))).toEqual([true, false]);
  });

  test("the reach of a former feed is what came of it, until newer quotes replace what it shows of it", async () => {
    const { barrier, show } = await restored({ bus: BUS });
    const decisions = [at(1, 7, [BTCUSD]), at(1, 8, [BTCUSD]), at(0, 1, [BTCUSD])];
    expect(barrier.allows(at(1, 7, [BTCUSD]))).toBe(true);
    expect(barrier.allows(at(1, 8, [BTCUSD]))).toBe(false);
    show(BTCUSD, 1);
    expect(decisions.map((place) => barrier.allows(place))).toEqual([true, true, true]);
  });

  test("the reach of a former feed counts for a pair without newer quotes while they could be fresh [D13.judges]", async () => {
    const { barrier, show, time } = await restored({ bus: BUS });
    show(EURUSD, 1);
    await time.pass(60_000);
    expect(barrier.allows(at(1, 8, [BTCUSD]))).toBe(false);
    await time.pass(1);
    expect(
      [at(1, 8, [BTCUSD]), at(2, 10, [BTCUSD])].map((quotes) => barrier.allows(quotes)),
    ).toEqual([true, false]);
  });
});
