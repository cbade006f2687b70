import { pairId, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import {
  type CandleHourRow,
  createCandleStore,
  type DayJoiner,
  type PackedCandles,
} from "./candle-store.ts";

const HOUR = 3_600_000;

/** Replaces the joining of candles: `whole` is the number of hours, and `hours` the first byte of each. */
const joinDay: DayJoiner = (_dayMs, hours) => ({
  whole: Buffer.of(hours.length),
  hours: Buffer.from(hours.map(({ packed }) => packed[0] ?? 0)),
});

function row(hour: number, over: Partial<CandleHourRow> = {}): CandleHourRow {
  return {
    pair: pairId("BTCUSD"),
    hourMs: unixMs(hour * HOUR),
    epoch: 1,
    number: hour,
    lastMs: unixMs(hour * HOUR + 5),
    whole: Buffer.from([1, 0, 255]),
    minutes: Buffer.from([hour]),
    ...over,
  };
}

await describeOnEachDatabase("rows of candles", (database) => {
  test("a row is replaced only by a writer that knows what it counts", async () => {
    const store = createCandleStore(database());
    const first = row(400_000);
    expect(await store.save(first, null, joinDay)).toBe(true);
    expect(await store.save(row(400_000, { number: 9 }), null, joinDay)).toBe(false);
    expect(await store.save(row(400_000, { number: 9 }), { epoch: 1, number: 8 }, joinDay)).toBe(
      false,
    );
    expect(await store.load(first.pair, first.hourMs)).toEqual(first);
    const next = row(400_000, { epoch: 2, number: 1, minutes: Buffer.from("minutes") });
    expect(await store.save(next, first, joinDay)).toBe(true);
    expect(await store.load(first.pair, first.hourMs)).toEqual(next);
    expect(await store.load(pairId("ETHUSD"), first.hourMs)).toBeNull();
  });

  test("pages go forwards and backwards, by hour and by day", async () => {
    const store = createCandleStore(database());
    const pair = pairId("EURUSD");
    for (const hour of [10, 25, 26, 49]) {
      await store.save(row(hour, { pair, whole: Buffer.of(hour) }), null, joinDay);
    }
    const found = (rows: readonly PackedCandles[]) =>
      rows.map(({ startMs, packed }) => [startMs / HOUR, ...packed]);
    const fromMs = unixMs(24 * HOUR);
    const beforeMs = unixMs(48 * HOUR);
    expect(found(await store.minutes(pair, { fromMs, limit: 2 }))).toEqual([
      [25, 25],
      [26, 26],
    ]);
    expect(found(await store.minutes(pair, { beforeMs, limit: 2 }))).toEqual([
      [26, 26],
      [25, 25],
    ]);
    expect(found(await store.hours(pair, { fromMs, limit: 9 }))).toEqual([
      [24, 25, 26],
      [48, 49],
    ]);
    expect(found(await store.hours(pair, { beforeMs, limit: 1 }))).toEqual([[24, 25, 26]]);
    expect(found(await store.days(pair, { beforeMs, limit: 9, byHour: [fromMs] }))).toEqual([
      [24, 25, 26],
      [0, 1],
    ]);
    expect(found(await store.days(pair, { fromMs, limit: 9, byHour: [] }))).toEqual([
      [24, 2],
      [48, 1],
    ]);
    expect(await store.pairs()).toContain(pair);
  });

  test("the row of a day with two writers has the hours of both", async () => {
    const store = createCandleStore(database());
    const pair = pairId("GBPUSD");
    const hours = Array.from({ length: 24 }, (_, hour) => hour);
    await Promise.all(
      hours.map((hour) => store.save(row(hour, { pair, whole: Buffer.of(hour) }), null, joinDay)),
    );
    const [day] = await store.hours(pair, { fromMs: unixMs(0), limit: 9 });
    expect([...(day?.packed ?? [])]).toEqual(hours);
  });

  test("old days are removed whole", async () => {
    const store = createCandleStore(database());
    const pair = pairId("USDJPY");
    for (const hour of [10, 25, 49]) await store.save(row(hour, { pair }), null, joinDay);
    await store.remove(unixMs(47 * HOUR));
    const all = { fromMs: unixMs(0), limit: 9 };
    const starts = (rows: readonly PackedCandles[]) => rows.map(({ startMs }) => startMs / HOUR);
    expect(starts(await store.minutes(pair, all))).toEqual([25, 49]);
    expect(starts(await store.days(pair, { ...all, byHour: [] }))).toEqual([24, 48]);
  });
});
