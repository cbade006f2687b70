import { appendFile, readFile } from "node:fs/promises";
import { type PairId, pairId, unixMs } from "@propgate/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings } from "../../../../../test/environment/depth.ts";
import { madeNumberedQuote } from "../../../../server/src/testing/made-numbered-quote.ts";
import { openTestDatabase } from "../../../../server/src/testing/open-test-database.ts";
import { makeTemporaryFolder } from "../../../../server/src/testing/temporary-folder.ts";
import { createCandleStore } from "../../storage/candle-store.ts";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { encodeChunk } from "../tape/tape-file.ts";
import { listTapeFiles } from "../tape/tape-folder.ts";
import { createRecordingTape } from "../tape/tape-writer.ts";
import { CANDLE_INTERVALS, type Candle } from "./candle-reader.ts";
import { createMemoryCandles } from "./memory-candles.ts";
import { packCandles, unpackCandles } from "./packed-candles.ts";
import { createStoredCandles, type StoredCandles } from "./stored-candles.ts";

const PAIR = pairId("BTCUSD");
const START = Date.UTC(2026, 10, 23, 22, 7);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Kept {
  readonly candles: StoredCandles;
  readonly problems: string[];
  readonly clock: { nowMs: number };
}

async function database() {
  const opened = await openTestDatabase();
  const open = (nowMs: number, isShared = false): Kept => {
    const clock = { nowMs };
    const problems: string[] = [];
    const candles = createStoredCandles({
      store: createCandleStore(opened),
      clock: { now: () => unixMs(clock.nowMs) },
      isShared,
      onProblem: (about) => void problems.push(about),
    });
    return { candles, problems, clock };
  };
  return { open, close: () => opened.close() };
}

/** Makes quotes with prices that move up and down, `everyMs` apart. */
function many(count: number, everyMs: number, over: { epoch?: number; at?: number } = {}) {
  return Array.from({ length: count }, (_, index): NumberedQuote => {
    const bid = 100 + ((index * 37) % 101) / 100;
    return madeNumberedQuote({
      epoch: over.epoch ?? 1,
      number: index + 1,
      atMs: (over.at ?? START) + index * everyMs,
      bid,
      ask: bid + 0.01 + (index % 5) / 1_000,
    });
  });
}

/** Expects that the candles equal a recount of the quotes in memory, in every interval and in pages. */
async function expectRecount(candles: StoredCandles, quotes: readonly NumberedQuote[]) {
  const recount = createMemoryCandles(1_000_000);
  for (const quote of quotes) recount.addQuote(quote);
  for (const interval of CANDLE_INTERVALS) {
    const query = { pair: PAIR, interval, after: null, limit: 1_000_000 };
    const expected = await recount.list(query);
    expect(await candles.list({ ...query, limit: 100_000 }), interval).toEqual(expected);
    // Compares the first page, the page after a start, and the newest page.
    const first = await candles.list({ ...query, after: unixMs(0), limit: 3 });
    expect(first).toEqual(expected.slice(0, 3));
    const after = first.at(-1)?.startMs ?? unixMs(0);
    expect(await candles.list({ ...query, after, limit: 2 })).toEqual(expected.slice(3, 5));
    expect(await candles.list({ ...query, limit: 2 })).toEqual(expected.slice(-2));
  }
}

describe("stored candles", () => {
  test("stored candles equal a recount of their quotes in memory, in rows, and across a restart", async () => {
    const { open, close } = await database();
    const quotes = many(700, 17_000);
    const { candles, clock, problems } = open(START);
    for (const quote of quotes.slice(0, 500)) candles.take(quote);
    await expectRecount(candles, quotes.slice(0, 500));
    clock.nowMs = START + 500 * 17_000;
    await candles.storeEndedHours();
    await expectRecount(candles, quotes.slice(0, 500));
    await candles.close();
    const next = open(clock.nowMs);
    await expectRecount(next.candles, quotes.slice(0, 500));
    for (const quote of quotes.slice(500)) next.candles.take({ ...quote, epoch: 2 });
    await expectRecount(next.candles, quotes);
    await next.candles.close();
    await expectRecount(open(clock.nowMs).candles, quotes);
    expect([...problems, ...next.problems]).toEqual([]);
    await close();
  });

  test("the tape has the quotes that no row counts after a kill, and each counts once", async () => {
    const { open, close } = await database();
    const folder = await makeTemporaryFolder();
    const quotes = many(900, 13_000);
    const { candles, clock } = open(START);
    const tape = createRecordingTape({ folder, onRepair: () => undefined });
    await tape.open();
    for (const quote of quotes.slice(0, 600)) {
      tape.write(quote);
      candles.take(quote);
    }
    clock.nowMs = START + 600 * 13_000;
    await candles.storeEndedHours();
    await tape.flush();
    // The process was killed, so the present hour is only on the tape.
    for (let restart = 0; restart < 2; restart += 1) {
      const next = open(clock.nowMs);
      await next.candles.catchUp(folder);
      await expectRecount(next.candles, quotes.slice(0, 600));
    }
    const last = open(clock.nowMs);
    await last.candles.catchUp(folder);
    for (const quote of quotes.slice(600)) last.candles.take({ ...quote, epoch: 2 });
    await last.candles.close();
    await expectRecount(open(clock.nowMs).candles, quotes);
    await tape.close();
    await close();
  });

  test("a tape without any rows is counted hour by hour", async () => {
    const { open, close } = await database();
    const folder = await makeTemporaryFolder();
    const quotes = many(500, 3 * MINUTE);
    const tape = createRecordingTape({ folder, onRepair: () => undefined });
    await tape.open();
    for (const quote of quotes) tape.write(quote);
    await tape.close();
    const { candles } = open(START + 100 * HOUR);
    await candles.catchUp(folder, 100);
    await expectRecount(candles, quotes);
    await close();
  });

  test("a chunk of another form on the tape is a problem, and the quotes before it count", async () => {
    const { open, close } = await database();
    const folder = await makeTemporaryFolder();
    const quotes = many(20, MINUTE);
    const tape = createRecordingTape({ folder, onRepair: () => undefined });
    await tape.open();
    for (const quote of quotes) tape.write(quote);
    await tape.close();
    const [file] = await listTapeFiles(folder, PAIR);
    if (file === undefined) throw new Error("a file");
    const written = await readFile(file.path);
    const { bytes } = encodeChunk(written.subarray(-32), Buffer.from("of a later release"));
    await appendFile(file.path, bytes);
    const { candles, problems } = open(START + 100 * HOUR);
    await candles.catchUp(folder);
    await expectRecount(candles, quotes);
    expect(problems).toEqual([
      expect.stringMatching(
        /^candles lack the quotes behind a damaged chunk: .* chunk 2: the chunk cannot be read: /,
      ),
    ]);
    await close();
  });

  test("a clock that goes back counts into the earlier minute", async () => {
    const { open, close } = await database();
    const { candles, clock } = open(START);
    const forth = many(50, MINUTE);
    const back = many(50, MINUTE, { at: START - HOUR, epoch: 1 }).map((quote) => ({
      ...quote,
      number: quote.number + 50,
    }));
    for (const quote of [...forth, ...back]) candles.take(quote);
    clock.nowMs = START + 5 * HOUR;
    await candles.storeEndedHours();
    await expectRecount(candles, [...forth, ...back]);
    await close();
  });

  test("each of two nodes that count the same quotes adds what a node that stopped has not stored", async () => {
    const { open, close } = await database();
    const [stopped, late, left] = [open(START, true), open(START, true), open(START, true)];
    const quotes = many(120, MINUTE / 4);
    for (const quote of quotes.slice(0, 60)) stopped.candles.take(quote);
    await stopped.candles.close();
    for (const quote of quotes.slice(20)) late.candles.take(quote);
    for (const quote of quotes) left.candles.take(quote);
    for (const { clock } of [late, left]) clock.nowMs = START + 5 * HOUR;
    await Promise.all([late.candles.storeEndedHours(), left.candles.storeEndedHours()]);
    await late.candles.storeEndedHours();
    await expectRecount(open(START + 5 * HOUR).candles, quotes);
    expect([...stopped.problems, ...late.problems, ...left.problems]).toEqual([]);
    await close();
  });

  test("the first of two processes that store the same hour keeps it whole", async () => {
    const { open, close } = await database();
    const [one, other] = [open(START + 5 * HOUR), open(START + 5 * HOUR)];
    const first = many(40, MINUTE);
    const second = many(33, MINUTE, { epoch: 2, at: START + 1_000 });
    for (const quote of first) one.candles.take(quote);
    for (const quote of second) other.candles.take(quote);
    await Promise.all([one.candles.list(minutes()), other.candles.list(minutes())]);
    await one.candles.close();
    await other.candles.close();
    await expectRecount(open(START).candles, first);
    expect(one.problems).toEqual([]);
    expect(other.problems.join()).toContain("another process stored the candles of BTCUSD");
    await close();
  });

  test("an empty minute has no candle, and a pair without quotes none at all", async () => {
    const { open, close } = await database();
    const { candles } = open(START);
    for (const quote of many(3, 10 * MINUTE)) candles.take(quote);
    const starts = (found: readonly Candle[]) =>
      found.map(({ startMs }) => (startMs - START) / MINUTE);
    expect(starts(await candles.list(minutes()))).toEqual([0, 10, 20]);
    expect(await candles.list(minutes(pairId("ETHUSD")))).toEqual([]);
    await close();
  });
});

function minutes(pair: PairId = PAIR) {
  return { pair, interval: "1m", after: null, limit: 100 } as const;
}

test("packed candles come back bit by bit", async () => {
  const any = fc.double({ min: Number.MIN_VALUE, max: 1e300, noNaN: true });
  const decimal = fc.integer({ min: 1, max: 10_000_000 }).map((whole) => whole / 100_000);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.oneof(any, decimal), fc.oneof(any, decimal))),
      async (pairs) => {
        const recount = createMemoryCandles(1_000);
        for (const [index, [bid, ask]] of pairs.slice(0, 60).entries()) {
          const at = START + Math.floor(index / 2) * MINUTE;
          const quote = madeNumberedQuote({ number: index + 1, atMs: at, bid, ask });
          recount.addQuote(quote);
        }
        const candles = await recount.list(minutes());
        const hourMs = START - 7 * MINUTE;
        expect(unpackCandles(hourMs, packCandles(hourMs, candles))).toEqual(candles);
      },
    ),
    propertySettings(500),
  );
});
