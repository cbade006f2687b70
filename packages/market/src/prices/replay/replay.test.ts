import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { price, type Quote, ratio } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { madeCatalogue, madeInstrument } from "../../../../server/src/testing/made-instrument.ts";
import { madeQuote } from "../../../../server/src/testing/made-quote.ts";
import { createManualTime, type ManualTime } from "../../../../server/src/testing/manual-time.ts";
import {
  makeTemporaryFolder,
  writeTemporaryFile,
} from "../../../../server/src/testing/temporary-folder.ts";
import { priceSourceSuite } from "../port.suite.ts";
import { openReplay, type Replay, type ReplayOptions } from "./replay.ts";

const CATALOGUE = madeCatalogue(
  madeInstrument("BTCUSD", { tick: price(0.5), spreadRatio: ratio(0.0002) }),
  madeInstrument("EURUSD", { assetClass: "forex" }),
  madeInstrument("BRK_B"),
);
const START = 1_700_049_600_000;
/** The earliest time that a row of a file may have: 2000-01-01, 00:00 UTC. */
const FIRST = 946_684_800_000;
const TICKS = "timeMs,bid,ask\n";

function open(time: ManualTime, files: readonly string[], over: Partial<ReplayOptions> = {}) {
  return openReplay({
    files,
    instruments: CATALOGUE,
    speed: 1,
    rebase: "own",
    loop: false,
    maxUnusablePct: 1,
    clock: time.clock,
    ticker: time.ticker,
    ...over,
  });
}

/** A quote of a file, which was made and received at its own time. */
function fromFile(pair: string, bid: number, ask: number, atMs: number) {
  const quote = madeQuote(pair, bid, ask, atMs);
  return { ...quote, source: "replay", madeAtMs: quote.atMs, receivedAtMs: quote.atMs };
}

async function playAll(replay: Replay, time: ManualTime): Promise<readonly Quote[]> {
  const quotes: Quote[] = [];
  await replay.source.start(async (batch) => void quotes.push(...batch));
  await time.pass(86_400_000);
  await replay.ended;
  await replay.source.stop();
  return quotes;
}

/** All quotes that a file with this text replays. */
async function quotesOf(text: string, name = "BTCUSD.csv"): Promise<readonly Quote[]> {
  const time = createManualTime(START);
  return playAll(await open(time, [await writeTemporaryFile(name, text)], { speed: 1_000 }), time);
}

priceSourceSuite("replay", async (time) => {
  const rows = Array.from(
    { length: 10 },
    (_, row) => `${FIRST + row * 1_000},${100 + row},${101 + row}`,
  );
  const file = await writeTemporaryFile("BTCUSD-x.csv", TICKS + rows.join("\n"));
  return (await open(time, [file], { loop: true })).source;
});

describe("replay: rows to quotes", () => {
  test("a tick is a quote as recorded", async () => {
    expect(await quotesOf(`${TICKS}946684801000,100.25,100.5\n946684802500,101,101\n`)).toEqual([
      fromFile("BTCUSD", 100.25, 100.5, FIRST + 1000),
      fromFile("BTCUSD", 101, 101, FIRST + 2500),
    ]);
  });

  test("a bar that rose visits its low first, one that fell its high, a quarter bar apart", async () => {
    const rose = "946684860000,100,104,99,103,101,105,100,104";
    const fell = "946684920000,103,106,98,99,104,107,99,100";
    const header = "timeMs,bidOpen,bidHigh,bidLow,bidClose,askOpen,askHigh,askLow,askClose";
    expect(await quotesOf(`${header}\n${rose}\n${fell}\n`)).toEqual([
      fromFile("BTCUSD", 100, 101, FIRST + 60_000),
      fromFile("BTCUSD", 99, 100, FIRST + 75_000),
      fromFile("BTCUSD", 104, 105, FIRST + 90_000),
      fromFile("BTCUSD", 103, 104, FIRST + 105_000),
      fromFile("BTCUSD", 103, 104, FIRST + 120_000),
      fromFile("BTCUSD", 106, 107, FIRST + 135_000),
      fromFile("BTCUSD", 98, 99, FIRST + 150_000),
      fromFile("BTCUSD", 99, 100, FIRST + 165_000),
    ]);
  });

  test("a bar of one price gets the catalogue's spread around it, on whole ticks", async () => {
    // 0.02 % of 46,319 is 9.2638. Half of that on each side gives 46,314.3681 and 46,323.6319.
    const quotes = await quotesOf(
      "timeMs,open,high,low,close\n946684860000,46319.0,46385.0,46300.0,46377.0",
    );
    expect(quotes.map(({ bid, ask }) => [bid, ask])).toEqual([
      [46_314.5, 46_323.5],
      [46_295.5, 46_304.5],
      [46_380.5, 46_389.5],
      [46_372.5, 46_381.5],
    ]);
  });

  test("columns are found by name, in any order, behind a byte order mark, with any line ends", async () => {
    const quotes = await quotesOf(
      "\uFEFFask, bid ,timeMs\r\n101,100,946684801000\r\n\r\n102,101,946684802000",
    );
    expect(quotes).toEqual([
      fromFile("BTCUSD", 100, 101, FIRST + 1000),
      fromFile("BTCUSD", 101, 102, FIRST + 2000),
    ]);
  });

  test.each(["BRK_B.csv", "brk_b-2026.csv", "BRK_B_2026.csv"])(
    "the name %s is that of a pair with an underscore",
    async (name) => {
      expect(await quotesOf(`${TICKS}946684801000,100,101\n`, name)).toEqual([
        fromFile("BRK_B", 100, 101, FIRST + 1000),
      ]);
    },
  );

  test("gzip is detected by the content, not by the name", async () => {
    const packed = await writeTemporaryFile("BTCUSD.csv.gz", `${TICKS}946684801000,100,101\n`);
    const plain = await writeTemporaryFile("BTCUSD.gz.csv", `${TICKS}946684801000,100,101\n`);
    for (const file of [packed, plain, `btc/usd=${packed}`]) {
      const time = createManualTime(START);
      expect(await playAll(await open(time, [file]), time)).toHaveLength(1);
    }
  });
});

describe("replay: rows that cannot be used", () => {
  test("rows that cannot be used are skipped and counted by reason, with the first line and value of each", async () => {
    const rows = [
      "946684801000,100,101",
      "946684802000,103,102", // crossed
      "946684803000,100", // missing
      "946684804000,,101", // missing
      "946684805000,abc,101", // garbage
      "946684806000,-1,101", // garbage
      "later,100,101", // garbage
      "946684806500,0,101", // garbage
      "946684800900,100,101", // earlier than the row before it
      "946684801000,100,101", // the same time, which quotes may have
      "99999999999999,100,101", // beyond all time
      "4000000000000,100,101", // a leap of a century
      "946684807,100,101", // seconds
      "946684807000000,100,101", // microseconds
      "946684807000000000,100,101", // nanoseconds
      "946684807000,102,103",
    ];
    const file = await writeTemporaryFile("BTCUSD.csv", TICKS + rows.join("\n"));
    const time = createManualTime(START);
    const replay = await open(time, [file], { speed: 1_000, maxUnusablePct: 90 });
    expect(await playAll(replay, time)).toHaveLength(3);
    const warnings = replay.source.warnings();
    expect(warnings.map(({ count, first }) => [count, first])).toEqual([
      [1, `${file}:3: 946684802000,103,102`],
      [2, `${file}:4: 946684803000,100`],
      [5, `${file}:6: abc`],
      [2, `${file}:10: 946684800900`],
      [1, `${file}:14: 946684807`],
      [1, `${file}:15: 946684807000000`],
      [1, `${file}:16: 946684807000000000`],
    ]);
  });

  test("a bar whose high is not its highest price is skipped, and so is one of the same time", async () => {
    const bars = [
      "timeMs,open,high,low,close",
      "946684801000,10,9,8,8",
      "946684861000,10,10,10,10",
      "946684861000,10,10,10,10",
    ];
    const file = await writeTemporaryFile("BTCUSD.csv", bars.join("\n"));
    const time = createManualTime(START);
    const replay = await open(time, [file], { speed: 1_000, maxUnusablePct: 70 });
    expect(await playAll(replay, time)).toHaveLength(4);
    expect(replay.source.warnings().map(({ reason }) => reason)).toEqual([
      "bars whose high or low does not fit skipped",
      "bars with the time of the one before them skipped",
    ]);
  });

  test.each([
    ["one per cent", 99, 1, null],
    ["more than one per cent", 98, 1, "1 of 99 rows cannot be used, and at most 1 % may be"],
  ])(
    "a file with %s of unusable rows is played or refused as a whole",
    async (_, good, bad, problem) => {
      const rows = [...timesFrom(good), ...Array.from({ length: bad }, () => "x")];
      const file = await writeTemporaryFile("BTCUSD.csv", TICKS + rows.map(quoted).join("\n"));
      const opening = open(createManualTime(START), [file]);
      if (problem === null) await (await opening).source.stop();
      else await expect(opening).rejects.toThrow(problem);
    },
  );

  test.each([
    ["seconds", 1_767_614_400],
    ["microseconds", 1_767_614_400_000_000],
    ["nanoseconds", 1_767_614_400_000_000_000],
  ])("a file in %s is refused with its unit, line and value", async (unit, first) => {
    const file = await writeTemporaryFile("BTCUSD.csv", `${TICKS}${first},90000,90001\n`);
    await expect(open(createManualTime(START), [file])).rejects.toThrow(
      `timeMs looks like ${unit} (first: line 2: ${first})`,
    );
  });

  test("a file whose unit changes in the middle is refused", async () => {
    const times = [...timesFrom(3), ...timesFrom(3).map((time) => time * 1_000)];
    const file = await writeTemporaryFile("BTCUSD.csv", TICKS + times.map(quoted).join("\n"));
    await expect(open(createManualTime(START), [file])).rejects.toThrow(
      "3 of 6 rows cannot be used, and at most 1 % may be unusable: 3 rows skipped whose timeMs looks like microseconds",
    );
  });

  test.each([
    ["an hour ahead", FIRST + 3_600_000],
    ["forty years ahead", FIRST + 40 * 365 * 86_400_000],
    ["before all others", FIRST - 0],
  ])("one row %s makes no other row unusable", async (_, wrong) => {
    const times = timesFrom(2_000).map((time) => time + 60_000);
    for (const place of [0, 3, 511, 512, 1_000, 1_995]) {
      const given = times.toSpliced(place, 0, wrong);
      const file = await writeTemporaryFile("BTCUSD.csv", TICKS + given.map(quoted).join("\n"));
      const time = createManualTime(START);
      const replay = await open(time, [file], { speed: 1_000 });
      const played = (await playAll(replay, time)).map(({ atMs }) => atMs as number);
      expect(times.filter((one) => !played.includes(one))).toEqual([]);
    }
  });

  test("quotes of one millisecond are all played, in the order of the file", async () => {
    const quotes = await quotesOf(
      `${TICKS}946684801000,3068,3068\n946684801000,3069,3069\n946684801000,3067,3067\n`,
    );
    expect(quotes.map(({ bid }) => bid)).toEqual([3068, 3069, 3067]);
  });

  test("a truncated file is refused, however much is allowed", async () => {
    const rows = timesFrom(60_000).map((time, row) => `${time},${100 + (row % 7)},200`);
    const whole = await writeTemporaryFile("BTCUSD.csv.gz", TICKS + rows.join("\n"));
    const bytes = await readFile(whole);
    const file = join(await makeTemporaryFolder(), "BTCUSD.csv.gz");
    await writeFile(file, bytes.subarray(0, bytes.length - 200));
    await expect(open(createManualTime(START), [file], { maxUnusablePct: 100 })).rejects.toThrow(
      /the rest of the file cannot be read, from line \d{4,5}: cannot be read: unexpected end of file/,
    );
  });
});

/** `count` times, one second apart, beginning with `FIRST`. */
function timesFrom(count: number): readonly number[] {
  return Array.from({ length: count }, (_, second) => FIRST + second * 1_000);
}

function quoted(time: number | string): string {
  return `${time},100,101`;
}

describe("replay: files that cannot be used", () => {
  test.each([
    ["BTCUSD.csv", "", "the file is empty, it has no header"],
    ["BTCUSD.csv", "\n\n", "the file is empty, it has no header"],
    ["BTCUSD.csv", "timeMs,bid,ask,volume\n", 'unknown column "volume" in the header'],
    ["BTCUSD.csv", "time,bid,ask\n", 'unknown column "time" in the header'],
    ["BTCUSD.csv", "timeMs;bid;ask\n", 'separated by ";"; separate them with commas'],
    ["BTCUSD.csv", "timeMs\tbid\task\n", 'separated by "\\t"; separate them with commas'],
    [
      "BTCUSD.csv",
      "1767614400000,100,101\n",
      "begin the file with a header such as timeMs,bid,ask",
    ],
    ["BTCUSD.csv", "TimeMs,bid,ask\n", 'unknown column "TimeMs" in the header; write it as timeMs'],
    ["BTCUSD.csv", '"timeMs","bid","ask"\n', "in the header; write it as timeMs"],
    ["BTCUSD.csv", "timeMs,bid,ask,\n", "has no name; remove the surplus comma"],
    ["BTCUSD.csv", "timeMs,bid\n", 'column "ask" is missing in the header'],
    ["BTCUSD.csv", "bid,ask\n", 'column "timeMs" is missing in the header'],
    ["BTCUSD.csv", "timeMs,bid,ask,open\n", 'column "open" does not fit the other columns'],
    ["BTCUSD.csv", "timeMs,bid,ask,bid\n", 'column "bid" appears twice in the header'],
    ["BTCUSD.csv", TICKS, "no row can be used"],
    ["BTCUSD.csv", `${TICKS}rubbish\n`, "no row can be used"],
    ["XYZ-2020.csv", `${TICKS}1,1,1\n`, 'unknown pair "XYZ"'],
  ])("%s with %j: the error names the file and %s", async (name, text, problem) => {
    const file = await writeTemporaryFile(name, text);
    const opening = open(createManualTime(START), [file]);
    await expect(opening).rejects.toThrow(problem);
    await expect(opening).rejects.toThrow(file);
  });

  test("the replay reports a missing file, a folder, and no file at all", async () => {
    const time = createManualTime(START);
    await expect(open(time, ["/nowhere/BTCUSD.csv"])).rejects.toThrow(
      "/nowhere/BTCUSD.csv: cannot be read: there is no such file",
    );
    const folder = await makeTemporaryFolder();
    await expect(open(time, [`BTCUSD=${folder}`])).rejects.toThrow("it is a folder without a tape");
    await expect(open(time, [])).rejects.toThrow("no price file is given");
  });
});

describe("replay: files that go away", () => {
  test("a loop ends with a warning that names a deleted file", async () => {
    const time = createManualTime(START);
    const file = await writeTemporaryFile("BTCUSD.csv", `${TICKS}946684801000,100,101\n`);
    const replay = await open(time, [file], { loop: true });
    await rm(file);
    expect(await playAll(replay, time)).toHaveLength(1);
    expect(replay.source.warnings()).toEqual([
      {
        source: "replay",
        reason: `${file}: cannot be read: there is no such file`,
        count: 1,
        first: null,
      },
    ]);
  });
});

describe("replay: time", () => {
  const rows = `${TICKS}946685800000,100,101\n946685860000,102,103\n946685920000,104,105\n`;

  test("a replay with its own time runs the service on the data's time, at the given speed", async () => {
    const time = createManualTime(START);
    const replay = await open(time, [await writeTemporaryFile("BTCUSD.csv", rows)], { speed: 60 });
    const seen: [number, number][] = [];
    expect(replay.clock.now()).toBe(FIRST + 1_000_000);
    await replay.source.start(async ([quote]) => {
      seen.push([quote?.atMs ?? 0, replay.clock.now()]);
    });
    await time.pass(0);
    expect(seen).toEqual([[FIRST + 1_000_000, FIRST + 1_000_000]]);
    await time.pass(500);
    expect(replay.clock.now()).toBe(FIRST + 1_030_000);
    await time.pass(500);
    await time.pass(500);
    await time.pass(500);
    expect(seen).toEqual([
      [FIRST + 1_000_000, FIRST + 1_000_000],
      [FIRST + 1_060_000, FIRST + 1_060_000],
      [FIRST + 1_120_000, FIRST + 1_120_000],
    ]);
    await time.pass(1_000);
    expect(replay.clock.now()).toBe(FIRST + 1_180_000);
    await replay.source.stop();
  });

  test("the clock never passes an unpublished row, however late it is", async () => {
    const time = createManualTime(START);
    const replay = await open(time, [await writeTemporaryFile("BTCUSD.csv", rows)], {
      speed: 1_000,
    });
    const clocks: number[] = [];
    await replay.source.start(async () => void clocks.push(replay.clock.now()));
    await time.pass(10_000);
    expect(clocks).toEqual([FIRST + 1_000_000, FIRST + 1_060_000, FIRST + 1_120_000]);
    await replay.source.stop();
  });

  test("quotes that are rebased to now carry their time of arrival", async () => {
    const time = createManualTime(START);
    const file = await writeTemporaryFile("BTCUSD.csv", rows);
    const replay = await open(time, [file], { speed: 60, rebase: "now" });
    const seen: number[] = [];
    await replay.source.start(async (quotes) => void seen.push(...quotes.map(({ atMs }) => atMs)));
    expect(replay.clock.now()).toBe(START);
    for (let tick = 0; tick < 4; tick += 1) await time.pass(500);
    expect(seen).toEqual([START + 500, START + 1_000, START + 2_000]);
    await replay.source.stop();
  });

  test("several files merge by time", async () => {
    const time = createManualTime(START);
    const files = [
      await writeTemporaryFile(
        "BTCUSD.csv",
        `${TICKS}946684801000,100,101\n946684803000,102,103\n946684805000,104,105\n`,
      ),
      await writeTemporaryFile(
        "EURUSD.csv",
        `${TICKS}946684802000,1.1,1.2\n946684803000,1.2,1.3\n`,
      ),
    ];
    const quotes = await playAll(await open(time, files), time);
    expect(quotes.map(({ pair, atMs }) => [pair, atMs])).toEqual([
      ["BTCUSD", FIRST + 1000],
      ["EURUSD", FIRST + 2000],
      ["BTCUSD", FIRST + 3000],
      ["EURUSD", FIRST + 3000],
      ["BTCUSD", FIRST + 5000],
    ]);
  });

  test("a loop restarts at a later time: time never goes back", async () => {
    const time = createManualTime(START);
    const file = await writeTemporaryFile("BTCUSD.csv", rows);
    const replay = await open(time, [file], { loop: true, speed: 60 });
    const seen: number[] = [];
    await replay.source.start(async (quotes) => void seen.push(...quotes.map(({ atMs }) => atMs)));
    for (let tick = 0; tick < 9; tick += 1) await time.pass(500);
    await replay.source.stop();
    expect(seen.map((atMs) => atMs - FIRST)).toEqual([
      1_000_000, 1_060_000, 1_120_000, 1_180_000, 1_240_000,
    ]);
    expect(replay.source.warnings()).toEqual([]);
  });
});
