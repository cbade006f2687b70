import { CANDLE_INTERVALS, type CandleInterval, type CandleItem } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { SEED, scaledCount } from "../../../../test/environment/depth.ts";
import {
  createStoredCandles,
  type StoredCandles,
} from "../../../market/src/prices/candles/stored-candles.ts";
import { createPseudoRandom } from "../../../market/src/prices/pseudo-random.ts";
import { createCandleStore } from "../../../market/src/storage/candle-store.ts";
import { type CandleParts, type Harness, openHarness } from "../testing/harness.ts";
import { madeCatalogue, madeInstrument } from "../testing/made-instrument.ts";

const MINUTE = 60_000;
/** The number of steps of a test. With 120 steps each kind of gap occurs. */
const STEPS = scaledCount(480, 120);
/** The number of steps before the tests: enough for several pages of each interval that is read page by page. */
const STEPS_BEFORE = 60;
const LENGTHS: Readonly<Record<CandleInterval, number>> = {
  "1m": MINUTE,
  "5m": 5 * MINUTE,
  "15m": 15 * MINUTE,
  "1h": 60 * MINUTE,
  "1d": 24 * 60 * MINUTE,
};

/** A quote as it was published; prices in whole cents. */
interface Published {
  readonly atMs: number;
  readonly bid: number;
  readonly ask: number;
}

/** The candles by their definition: counted directly from the quotes of each interval. */
function recount(
  published: readonly Published[],
  interval: CandleInterval,
  nowMs: number,
): readonly CandleItem[] {
  const lengthMs = LENGTHS[interval];
  const groups = Map.groupBy(published, ({ atMs }) => Math.floor(atMs / lengthMs));
  return [...groups]
    .toSorted(([one], [other]) => one - other)
    .map(([index, quotes]) => ({
      startMs: index * lengthMs,
      bid: pricesOf(quotes.map(({ bid }) => bid / 100)),
      ask: pricesOf(quotes.map(({ ask }) => ask / 100)),
      mid: pricesOf(quotes.map(({ bid, ask }) => (bid + ask) / 200)),
      quoteCount: quotes.length,
      isComplete: (index + 1) * lengthMs <= nowMs,
    }));
}

function pricesOf(prices: readonly number[]): CandleItem["mid"] {
  const [open = Number.NaN] = prices;
  const close = prices.at(-1) ?? Number.NaN;
  return { open, high: Math.max(...prices), low: Math.min(...prices), close };
}

/** A pair whose published quotes are kept. */
interface Recounted {
  readonly published: Published[];
  publish(): Promise<void>;
  read(query: string): Promise<readonly CandleItem[]>;
  expectRecount(): Promise<void>;
}

describe("candles equal a recount of the quotes that were published [D9.candles]", () => {
  let service: Harness;
  let stored: StoredCandles;
  const draws = createPseudoRandom(`candle recount ${SEED}`);
  const now = (): number => service.time.clock.now();
  const walked = recounted("BTCUSD");

  beforeAll(async () => {
    const instruments = madeCatalogue(madeInstrument("BTCUSD"), madeInstrument("ETHUSD"));
    service = await openHarness({ instruments, candles: storedCandles });
    for (let step = 1; step <= STEPS_BEFORE; step += 1) await publishNext(step);
    return () => service.close();
  });

  function storedCandles({ database, clock, bus }: CandleParts): StoredCandles {
    const store = createCandleStore(database);
    const onProblem = (about: string): void => expect.fail(about);
    stored = createStoredCandles({ store, clock, isShared: false, onProblem });
    bus.subscribe((quote) => stored.take(quote));
    return stored;
  }

  function recounted(pair: string): Recounted {
    const published: Published[] = [];
    const read: Recounted["read"] = async (query) => {
      // Each read has a new key, because a test makes more reads than a key may make in a minute.
      const signer = await service.newKey();
      const reply = await service.get(`candles?tradePair=${pair}&${query}`, { signer });
      expect(reply.status).toBe(200);
      return (reply.json() as { readonly data: readonly CandleItem[] }).data;
    };
    return {
      published,
      read,
      async publish() {
        const last = published.at(-1)?.bid ?? 5_000_000;
        const bid = last + Math.round(900 * draws.normal());
        const ask = bid + Math.floor(7 * draws.uniform());
        await service.quote(pair, bid / 100, ask / 100);
        published.push({ atMs: now(), bid, ask });
      },
      async expectRecount() {
        for (const interval of CANDLE_INTERVALS) {
          const expected = recount(published, interval, now());
          expect(await read(`interval=${interval}&limit=1000`), interval).toEqual(
            expected.slice(-1000),
          );
          expect(await read(`interval=${interval}&limit=3`), interval).toEqual(expected.slice(-3));
          const middle = expected[Math.floor(expected.length / 2)]?.startMs ?? 0;
          const behind = expected.filter(({ startMs }) => startMs > middle);
          const page = await read(`interval=${interval}&after=${middle}&limit=5`);
          expect(page, interval).toEqual(behind.slice(0, 5));
          // A time within a candle is not its start: the next candle follows.
          const within = await read(`interval=${interval}&after=${middle + 1}&limit=5`);
          expect(within, interval).toEqual(behind.slice(0, 5));
          const justBefore = Math.max(0, middle - 1);
          const before = await read(`interval=${interval}&after=${justBefore}&limit=1`);
          expect(before[0]?.startMs, interval).toBe(middle);
        }
      },
    };
  }

  test("no candle exists before any quote, and one quote is a candle of every interval", async () => {
    const quoted = recounted("ETHUSD");
    for (const interval of CANDLE_INTERVALS) {
      expect(await quoted.read(`interval=${interval}`)).toEqual([]);
    }
    await quoted.publish();
    await quoted.expectRecount();
    await service.time.pass(MINUTE - (now() % MINUTE) - 1);
    await quoted.expectRecount();
    await service.time.pass(1);
    const [only] = await quoted.read("interval=1m");
    expect(only).toMatchObject({ quoteCount: 1, isComplete: true });
    await quoted.expectRecount();
  });

  test("candles equal a recount over minutes, hours and days, with gaps and quotes at their first and last millisecond", async () => {
    for (let step = 1; step <= STEPS; step += 1) {
      await publishNext(step);
      if (step % 40 === 0) await stored.storeEndedHours();
      if (step % 120 === 0) await walked.expectRecount();
    }
    const days = recount(walked.published, "1d", now());
    expect(days.length).toBeGreaterThan(1);
    expect(recount(walked.published, "1m", now()).length).toBeGreaterThan(STEPS / 2);
  });

  async function publishNext(step: number): Promise<void> {
    await service.time.pass(nextGap(step));
    await walked.publish();
  }

  /**
   * The time to the next quote in milliseconds: mostly seconds, sometimes until a minute, hour or day ends, or hours.
   */
  function nextGap(step: number): number {
    const untilEdge = (lengthMs: number): number => lengthMs - (now() % lengthMs);
    if (step % 17 === 0) return untilEdge(LENGTHS["1m"]) - 1;
    if (step % 17 === 1) return untilEdge(LENGTHS["1m"]);
    if (step % 50 === 0) return untilEdge(LENGTHS["1h"]) - 1;
    if (step % 50 === 2) return untilEdge(LENGTHS["1h"]);
    if (step % 110 === 0) return untilEdge(LENGTHS["1d"]);
    if (step % 60 === 0) return Math.round(5 * LENGTHS["1h"] * draws.uniform());
    return Math.round(90_000 * draws.uniform());
  }

  test.each([
    ["1m", 20],
    ["15m", 5],
  ] as const)(
    "pages of %s reach the newest candle without loss or repetition while candles are added",
    async (interval, limit) => {
      const complete: CandleItem[] = [];
      let running: readonly CandleItem[] = [];
      let after = 0;
      for (;;) {
        const page = await walked.read(`interval=${interval}&after=${after}&limit=${limit}`);
        const over = page.filter(({ isComplete }) => isComplete);
        running = page.filter(({ isComplete }) => !isComplete);
        complete.push(...over);
        if (page.length < limit) break;
        after = over.at(-1)?.startMs ?? after;
        await service.time.pass(31_000);
        await walked.publish();
      }
      expect([...complete, ...running]).toEqual(recount(walked.published, interval, now()));
      const starts = complete.map(({ startMs }) => startMs);
      expect(new Set(starts).size).toBe(starts.length);
    },
  );

  test("two pages at the same time are the same page, and a refused quote is in none", async () => {
    const [one, other] = await Promise.all([
      walked.read("interval=5m"),
      walked.read("interval=5m"),
    ]);
    expect(one).toEqual(other);
    // The quote is crossed, so the intake rejects it.
    await service.quote("BTCUSD", 60_000, 59_000);
    await walked.expectRecount();
  });
});
