import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pairId, unixMs } from "@propgate/core";
import type { Database } from "@propgate/ledger";
import { describe, expect, test } from "vitest";
import { openLog } from "../../../base/src/log.ts";
import { madeNumberedQuote } from "../../../server/src/testing/made-numbered-quote.ts";
import { openTestDatabase } from "../../../server/src/testing/open-test-database.ts";
import { makeTemporaryFolder } from "../../../server/src/testing/temporary-folder.ts";
import { createCandleStore } from "../storage/candle-store.ts";
import { verifyCandles } from "./candles/verify-candles.ts";
import { openPriceRecords, type PriceRecords } from "./price-records.ts";
import { createLocalBus } from "./quotes/quote-bus.ts";
import { verifyTape } from "./tape/verify-tape.ts";

const START = Date.UTC(2026, 10, 23, 12, 40);
const MINUTE = 60_000;
const PAIR = pairId("BTCUSD");

async function service(over: Partial<{ tapeDays: number; candleDays: number }> = {}) {
  const database = await openTestDatabase();
  const dataDir = await makeTemporaryFolder();
  const clock = { nowMs: START };
  const open = async () => {
    const records = await openPriceRecords({
      settings: { dataDir, natsUrl: null, tapeDays: 30, candleDays: 400, ...over },
      database,
      clock: { now: () => unixMs(clock.nowMs) },
      log: openLog("silent"),
    });
    const bus = createLocalBus();
    records.recordFrom(bus);
    return { records, bus };
  };
  const tape = join(dataDir, "tape");
  return { database, clock, open, tape };
}

/** Makes the same database, and a function that returns how many of its queries have run at the same time at most. */
function countQueries(database: Database): {
  readonly database: Database;
  readonly max: () => number;
} {
  let running = 0;
  let max = 0;
  const query: Database["query"] = async (...given) => {
    running += 1;
    max = Math.max(max, running);
    try {
      return await database.query(...given);
    } finally {
      running -= 1;
    }
  };
  return { database: { ...database, query }, max: () => max };
}

function run(records: PriceRecords, name: string): Promise<void> {
  const job = records.jobs.find((one) => one.name === name);
  if (job === undefined) throw new Error(`no job ${name}`);
  return job.run();
}

/** Makes quotes one minute apart. */
function quotes(epoch: number, count: number, from: number) {
  return Array.from({ length: count }, (_, index) =>
    madeNumberedQuote({ epoch, number: index + 1, atMs: from + index * MINUTE }),
  );
}

describe("the records of a service", () => {
  test("lists of candles read one after another, so that the database has connections for all else [D13.candleConnection]", async () => {
    const { database, max } = countQueries(await openTestDatabase());
    const { candles } = await openPriceRecords({
      settings: {
        dataDir: await makeTemporaryFolder(),
        natsUrl: null,
        tapeDays: 0,
        candleDays: 400,
      },
      database,
      clock: { now: () => unixMs(START) },
      log: openLog("silent"),
    });
    if (candles === null) throw new Error("no candles");
    const lists = Array.from({ length: 5 }, () =>
      candles.list({ pair: PAIR, interval: "1d", after: null, limit: 500 }),
    );
    expect(await Promise.all(lists)).toHaveLength(5);
    expect(max()).toBe(1);
  });

  test("a killed service goes on behind its last flush, and its candles stay a recount of the tape", async () => {
    const { database, clock, open, tape } = await service();
    const killed = await open();
    expect(killed.records.lastEpoch).toBe(0);
    for (const quote of quotes(1, 50, START)) killed.bus.publish(quote);
    await run(killed.records, "tape");
    clock.nowMs = START + 50 * MINUTE;
    await run(killed.records, "candles");
    for (const quote of quotes(1, 60, START).slice(50)) killed.bus.publish(quote);
    // A start takes over the lock of a dead process. The process of this test lives, so the test removes its lock.
    await rm(join(tape, "lock"));
    const next = await open();
    expect(next.records.lastEpoch).toBe(1);
    for (const quote of quotes(2, 30, START + 70 * MINUTE)) next.bus.publish(quote);
    const listed = await next.records.candles?.list({
      pair: PAIR,
      interval: "1m",
      after: null,
      limit: 500,
    });
    expect(listed).toHaveLength(80);
    await next.records.close();
    expect(await verifyTape(tape)).toMatchObject({ quotes: 80, faults: [] });
    const store = createCandleStore(database);
    expect(await verifyCandles(tape, store)).toEqual({ hours: 3, unstored: 0, faults: [] });
    await database.query("update candle_hours set whole = minutes where hour_ms = $1", [
      START - 40 * MINUTE,
    ]);
    expect((await verifyCandles(tape, store)).faults).toEqual([
      { pair: PAIR, hour: "2026-11-23T12", reason: "its candles are not a recount of its quotes" },
    ]);
    await database.close();
  });

  test("a disk that refuses writes is a failing job, and nothing is lost when it works again", async () => {
    const { database, open, tape } = await service();
    const { records, bus } = await open();
    await writeFile(join(tape, "BTCUSD"), "in the way");
    for (const quote of quotes(1, 10, START)) bus.publish(quote);
    await expect(run(records, "tape")).rejects.toThrow(/EEXIST|ENOTDIR/);
    for (const quote of quotes(1, 20, START).slice(10)) bus.publish(quote);
    await expect(run(records, "tape")).rejects.toThrow(/EEXIST|ENOTDIR/);
    await rm(join(tape, "BTCUSD"));
    await run(records, "tape");
    await records.close();
    expect(await verifyTape(tape)).toMatchObject({ quotes: 20, faults: [] });
    await database.close();
  });

  test("a folder that cannot be made stops no start", async () => {
    const { database, open, tape } = await service();
    await writeFile(tape, "no folder");
    const { records, bus } = await open();
    for (const quote of quotes(1, 10, START)) bus.publish(quote);
    await expect(run(records, "tape")).rejects.toThrow(/EEXIST|ENOTDIR/);
    await rm(tape);
    await mkdir(tape);
    await run(records, "tape");
    for (const quote of quotes(1, 20, START).slice(10)) bus.publish(quote);
    await records.close();
    expect(await verifyTape(tape)).toMatchObject({ quotes: 10, faults: [] });
    await database.close();
  });

  test("retention removes old hours of the tape and of the candles", async () => {
    const { database, clock, open, tape } = await service({ tapeDays: 1, candleDays: 2 });
    const { records, bus } = await open();
    for (const quote of quotes(1, 10, START)) bus.publish(quote);
    for (const quote of quotes(2, 10, START + 1_500 * MINUTE)) bus.publish(quote);
    await run(records, "tape");
    clock.nowMs = START + 1_600 * MINUTE;
    await run(records, "candles");
    await run(records, "tape and candle retention");
    expect(await verifyTape(tape)).toMatchObject({ files: 1, faults: [] });
    const days = () => records.candles?.list({ pair: PAIR, interval: "1d", after: null, limit: 9 });
    expect(await days()).toHaveLength(2);
    clock.nowMs = START + 2 * 1_440 * MINUTE;
    await run(records, "tape and candle retention");
    // A day is removed as a whole.
    expect(await days()).toHaveLength(2);
    clock.nowMs = START + 3 * 1_440 * MINUTE;
    await run(records, "tape and candle retention");
    expect(await days()).toHaveLength(1);
    await records.close();
    await database.close();
  });

  test("days of 0 record nothing and store nothing", async () => {
    const { database, open, tape } = await service({ tapeDays: 0, candleDays: 0 });
    const { records, bus } = await open();
    for (const quote of quotes(1, 10, START)) bus.publish(quote);
    expect(records.candles).toBeNull();
    expect(records.jobs.map(({ name }) => name)).toEqual(["tape and candle retention"]);
    await records.close();
    expect(await verifyTape(tape)).toMatchObject({ files: 0 });
    expect(await createCandleStore(database).pairs()).toEqual([]);
    await database.close();
  });
});
