import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type PairId, pairId, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { madeNumberedQuote } from "../../../../server/src/testing/made-numbered-quote.ts";
import { makeTemporaryFolder } from "../../../../server/src/testing/temporary-folder.ts";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { createLocalBus } from "../quotes/quote-bus.ts";
import { scanTape } from "./tape-file.ts";
import { findTapePair, listTapeFiles } from "./tape-folder.ts";
import { createTapeReader } from "./tape-reader.ts";
import { removeOldTape } from "./tape-retention.ts";
import { createRecordingTape, type RecordingTape } from "./tape-writer.ts";
import { verifyTape } from "./verify-tape.ts";

const PAIR = pairId("BTCUSD");
/** Half an hour before a day ends. */
const START = Date.UTC(2026, 10, 23, 23, 30);
const HOUR = 3_600_000;

async function open(
  folder: string,
  repairs: string[] = [],
  waitingBytesMax?: number,
): Promise<RecordingTape> {
  const tape = createRecordingTape({
    folder,
    onRepair: (about) => void repairs.push(about),
    ...(waitingBytesMax === undefined ? {} : { waitingBytesMax }),
  });
  await tape.open();
  return tape;
}

async function record(folder: string, quotes: readonly NumberedQuote[]): Promise<void> {
  const tape = await open(folder);
  for (const quote of quotes) tape.write(quote);
  await tape.close();
}

async function readAll(folder: string, pair: PairId = PAIR): Promise<readonly NumberedQuote[]> {
  return readStretch(folder, 0, Number.MAX_SAFE_INTEGER, pair);
}

async function readStretch(folder: string, from: number, to: number, pair: PairId = PAIR) {
  const quotes: NumberedQuote[] = [];
  const stretch = { fromMs: unixMs(from), toMs: unixMs(to) };
  for await (const group of createTapeReader(folder).read(pair, stretch)) quotes.push(...group);
  return quotes;
}

/** Makes the quotes 1 to `count`, `everyMs` apart. */
function many(count: number, everyMs: number, over: Partial<{ epoch: number; at: number }> = {}) {
  return Array.from({ length: count }, (_, index) =>
    madeNumberedQuote({
      epoch: over.epoch ?? 1,
      number: index + 1,
      atMs: (over.at ?? START) + index * everyMs,
    }),
  );
}

async function names(folder: string): Promise<readonly string[]> {
  return (await listTapeFiles(folder, PAIR)).map(({ path }) => path.slice(folder.length + 1));
}

describe("tape", () => {
  test("quotes over the end of an hour and of a day come back in order, a file per hour", async () => {
    const folder = await makeTemporaryFolder();
    const quotes = many(240, 30_000);
    await record(folder, quotes);
    expect(await readAll(folder)).toEqual(quotes);
    expect(await names(folder)).toEqual([
      "BTCUSD/2026-11-23T23.00000001.tape",
      "BTCUSD/2026-11-24T00.00000002.tape",
      "BTCUSD/2026-11-24T01.00000003.tape",
    ]);
    expect(await readStretch(folder, START + HOUR, START + 2 * HOUR)).toEqual(quotes.slice(120));
    expect(await verifyTape(folder)).toMatchObject({ pairs: 1, files: 3, quotes: 240, faults: [] });
  });

  test("a pair with one quote a day has one file a day and one chain", async () => {
    const folder = await makeTemporaryFolder();
    const quotes = many(5, 24 * HOUR);
    for (const quote of quotes) await record(folder, [quote]);
    expect(await readAll(folder)).toEqual(quotes);
    expect(await verifyTape(folder)).toMatchObject({ files: 5, chunks: 5, faults: [] });
  });

  test("a pair with small letters in its id is continued, read, proved and removed like any other", async () => {
    const folder = await makeTemporaryFolder();
    const pair = pairId("kPEPEUSDC");
    const quotes = many(241, 30_000).map((quote) => ({ ...quote, pair }));
    // Both processes write the same hour.
    await record(folder, quotes.slice(0, 10));
    await record(folder, quotes.slice(10));
    expect(await readAll(folder, pair)).toEqual(quotes);
    expect(await findTapePair(folder, "kpepe/usdc")).toBe(pair);
    expect(await verifyTape(folder)).toMatchObject({ pairs: 1, files: 3, quotes: 241, faults: [] });
    expect(await removeOldTape(folder, unixMs(START + 24 * HOUR))).toBe(2);
  });

  test("a number is written once, also when a later process writes it again", async () => {
    const folder = await makeTemporaryFolder();
    const quotes = many(10, 1_000);
    await record(folder, quotes);
    const tape = await open(folder);
    for (const quote of [...quotes, ...quotes]) tape.write(quote);
    const later = many(3, 1_000, { epoch: 2 });
    for (const quote of later) tape.write(quote);
    for (const quote of later) tape.write(quote);
    expect(tape.lastEpoch()).toBe(1);
    expect(tape.tally()).toMatchObject({ repeated: 23, lost: 0 });
    await tape.close();
    expect(await readAll(folder)).toEqual([...quotes, ...later]);
  });

  test("a clock that goes back opens a new file, and the order of numbers stays", async () => {
    const folder = await makeTemporaryFolder();
    const before = many(10, 60_000);
    const back = many(10, 60_000, { at: START - 2 * HOUR }).map((quote) => ({
      ...quote,
      number: quote.number + 10,
    }));
    const again = { ...madeNumberedQuote({ number: 99, atMs: START + 1 }) };
    await record(folder, [...before, ...back, again]);
    expect(await readAll(folder)).toEqual([...before, ...back, again]);
    expect(await readStretch(folder, START, START + HOUR)).toEqual([...before, again]);
    expect(await names(folder)).toEqual([
      "BTCUSD/2026-11-23T23.00000001.tape",
      "BTCUSD/2026-11-23T21.00000002.tape",
      "BTCUSD/2026-11-23T23.00000003.tape",
    ]);
    expect((await verifyTape(folder)).faults).toEqual([]);
  });

  test("the tape records what a bus carries", async () => {
    const folder = await makeTemporaryFolder();
    const bus = createLocalBus();
    const tape = await open(folder);
    bus.subscribe((quote) => tape.write(quote));
    const quotes = many(6_000, 100);
    for (const quote of quotes) bus.publish(quote);
    await tape.flush();
    expect(await readAll(folder)).toEqual(quotes);
    await tape.close();
  });

  test("a second process in the folder is refused until the first has closed it", async () => {
    const folder = await makeTemporaryFolder();
    const first = await open(folder);
    const second = createRecordingTape({ folder, onRepair: () => undefined });
    await expect(second.open()).rejects.toThrow("records no tape");
    for (const quote of many(2, 1_000)) second.write(quote);
    await expect(second.flush()).rejects.toThrow("in use by process");
    expect(second.tally().lost).toBe(2);
    await first.close();
    await second.flush();
    for (const quote of many(2, 1_000, { epoch: 2 })) second.write(quote);
    await second.close();
    expect(await readAll(folder)).toHaveLength(2);
  });

  test("a finished hour is written anew in few large chunks, in one chain with the next", async () => {
    const folder = await makeTemporaryFolder();
    const tape = await open(folder);
    const quotes = many(1_200, 1_500).concat(
      many(1_300, 1_500, { epoch: 2, at: START + 1_800_000 }),
    );
    for (const [index, quote] of quotes.entries()) {
      tape.write(quote);
      if (index % 50 === 0) await tape.flush();
    }
    await tape.close();
    expect(await readAll(folder)).toEqual(quotes);
    expect(await names(folder)).toHaveLength(2);
    const proof = await verifyTape(folder);
    expect(proof).toMatchObject({ quotes: 2_500, faults: [] });
    const [first] = await listTapeFiles(folder, PAIR);
    expect(scanTape(await readFile(first?.path ?? "")).bodies).toHaveLength(1);
  });

  test("a file that was removed while the service ran costs only its own quotes", async () => {
    const folder = await makeTemporaryFolder();
    const tape = await open(folder);
    const [first, second] = many(2, 1_000);
    if (first === undefined || second === undefined) throw new Error("two quotes");
    tape.write(first);
    await tape.flush();
    await rm(join(folder, "BTCUSD"), { recursive: true });
    tape.write(second);
    await tape.close();
    expect(await readAll(folder)).toEqual([second]);
  });

  test("quotes that wait longer than memory allows are counted as lost", async () => {
    const folder = await makeTemporaryFolder();
    const tape = await open(folder, [], 40);
    for (const quote of many(5_000, 1)) tape.write(quote);
    expect(tape.tally()).toMatchObject({ lost: 4_096, waitingBytes: 0 });
    await tape.close();
  });

  test("retention removes whole hours from the start and keeps the newest file of a pair", async () => {
    const folder = await makeTemporaryFolder();
    await record(folder, many(5, HOUR));
    expect(await removeOldTape(folder, unixMs(START + 1.4 * HOUR))).toBe(1);
    expect(await removeOldTape(folder, unixMs(START + 2 * HOUR))).toBe(1);
    expect((await verifyTape(folder)).faults).toEqual([]);
    expect(await removeOldTape(folder, unixMs(START + 900 * HOUR))).toBe(2);
    await record(folder, many(1, HOUR, { epoch: 2, at: START + 90 * HOUR }));
    expect(await verifyTape(folder)).toMatchObject({ files: 2, quotes: 2, faults: [] });
  });
});

describe("tape: what a killed process leaves", () => {
  async function twoChunks(): Promise<{
    folder: string;
    path: string;
    bytes: Buffer;
    one: number;
  }> {
    const folder = await makeTemporaryFolder();
    const tape = await open(folder);
    const quotes = many(20, 1_000);
    for (const quote of quotes.slice(0, 10)) tape.write(quote);
    await tape.flush();
    const [file] = await listTapeFiles(folder, PAIR);
    if (file === undefined) throw new Error("a file");
    const one = (await stat(file.path)).size;
    for (const quote of quotes.slice(10)) tape.write(quote);
    await tape.close();
    return { folder, path: file.path, bytes: await readFile(file.path), one };
  }

  test("a file cut at any byte is read to its last whole chunk", async () => {
    const { bytes, one } = await twoChunks();
    const whole = [headLength(bytes), one];
    for (let length = 1; length < bytes.length; length += 1) {
      const { flaw, bodies } = scanTape(bytes.subarray(0, length));
      expect(flaw?.kind ?? "whole", `${length}`).toBe(whole.includes(length) ? "whole" : "torn");
      expect(bodies).toHaveLength(length < one ? 0 : 1);
    }
  });

  test("the next start cuts an unfinished write off, says so once and continues there", async () => {
    const { folder, path, bytes, one } = await twoChunks();
    const head = headLength(bytes);
    for (const length of [5, head - 1, head, head + 1, one - 1, one, one + 7, bytes.length - 1]) {
      await writeFile(path, bytes.subarray(0, length));
      const repairs: string[] = [];
      const tape = await open(folder, repairs);
      const whole = length < one ? 0 : 10;
      expect(await readAll(folder)).toHaveLength(whole);
      for (const quote of many(3, 1_000, { epoch: 2 })) tape.write(quote);
      await tape.close();
      expect(await readAll(folder)).toHaveLength(whole + 3);
      expect(repairs).toHaveLength(length === one || length === head ? 0 : 1);
      expect((await verifyTape(folder)).faults).toEqual([]);
    }
  });

  test("a write that a loss of power has kept from the disk is cut off like an unfinished one", async () => {
    const { bytes, one } = await twoChunks();
    for (const from of [one, one + 5, bytes.length - 40]) {
      const lost = Buffer.from(bytes).fill(0, from);
      const { flaw, wholeBytes } = scanTape(lost);
      expect([flaw?.kind, wholeBytes], `from byte ${from}`).toEqual(["torn", one]);
    }
  });

  test("a changed bit anywhere is found; bits before a whole chunk are never cut off", async () => {
    const { folder, path, bytes, one } = await twoChunks();
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 4;
      const { flaw, bodies } = scanTape(changed);
      expect(flaw, `byte ${at}`).not.toBeNull();
      expect(bodies).toHaveLength(at < one ? 0 : 1);
      // A greater length looks like a write that ended too early.
      const isLonger = at > one && flaw?.reason === "the chunk is not whole";
      expect(flaw?.kind, `byte ${at}`).toBe(isLonger ? "torn" : "damaged");
    }
    const changed = Buffer.from(bytes);
    changed[one - 50] = (changed[one - 50] ?? 0) ^ 1;
    await writeFile(path, changed);
    const repairs: string[] = [];
    const tape = await open(folder, repairs);
    tape.write(madeNumberedQuote({ epoch: 2, number: 1, atMs: START + 60_000 }));
    await tape.close();
    expect(repairs.join()).toContain("is damaged at byte");
    expect((await readFile(path)).equals(changed)).toBe(true);
    expect(await readdir(join(folder, "BTCUSD"))).toHaveLength(2);
    await expect(readAll(folder)).rejects.toThrow("chunk 1 at byte");
    const { faults } = await verifyTape(folder);
    expect(faults.map(({ chunk, reason }) => [chunk, reason])).toEqual([
      [1, "the chunk's hash does not match its content"],
    ]);
  });

  test("verify names a file that is missing, renamed, or put in another one's place", async () => {
    const folder = await makeTemporaryFolder();
    await record(folder, many(4, HOUR));
    const [first, second, third] = await listTapeFiles(folder, PAIR);
    if (first === undefined || second === undefined || third === undefined)
      throw new Error("files");
    const aside = join(folder, "aside");
    await rename(second.path, aside);
    expect((await verifyTape(folder)).faults).toMatchObject([
      { path: third.path, chunk: 0, reason: expect.stringContaining("number 2 is missing") },
    ]);
    await writeFile(second.path, await readFile(first.path));
    expect((await verifyTape(folder)).faults[0]).toMatchObject({ path: second.path, chunk: 0 });
    const other = await makeTemporaryFolder();
    await record(other, many(4, HOUR, { epoch: 3 }));
    const [, foreign] = await listTapeFiles(other, PAIR);
    await writeFile(second.path, await readFile(foreign?.path ?? ""));
    expect((await verifyTape(folder)).faults[0]).toEqual({
      path: second.path,
      chunk: 0,
      reason: "its chain does not continue that of the file before it",
    });
  });
});

function headLength(bytes: Buffer): number {
  return bytes.indexOf("\n") + 1;
}
