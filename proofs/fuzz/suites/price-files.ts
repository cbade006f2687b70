import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Instruments, pairId } from "@propgate/core";
import fc from "fast-check";
import {
  openPriceFile,
  parsePriceFile,
} from "../../../packages/market/src/prices/replay/price-file.ts";
import { PriceFileError } from "../../../packages/market/src/prices/replay/price-file-error.ts";
import { createRowTally } from "../../../packages/market/src/prices/replay/row-tally.ts";
import { arbitraryCharacter } from "../../../test/environment/arbitrary-character.ts";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";

const MINUTE_MS = 60_000;
const START_MS = 1_767_571_200_000;
const ROWS = 40;

const HEADERS = [
  "timeMs,bid,ask",
  "timeMs,bidOpen,bidHigh,bidLow,bidClose,askOpen,askHigh,askLow,askClose",
  "timeMs,open,high,low,close",
];
const FILES = HEADERS.map((header) => {
  const columns = header.split(",").length - 1;
  const row = (_: unknown, at: number): string =>
    [START_MS + at * MINUTE_MS, ...Array.from({ length: columns }, () => "90000.5")].join(",");
  return `${header}\n${Array.from({ length: ROWS }, row).join("\n")}\n`;
});

const cell = fc.oneof(
  fc.constantFrom("", "0", "-1", "NaN", "1e999", "1e308", "0x10", "١", '"', ",", "\n", "\r", "\0"),
  fc.constantFrom("9".repeat(400), "1e-300", "Infinity", "timeMs", "bid", "\ufeff", "null", " "),
  fc.string({ unit: arbitraryCharacter, maxLength: 20 }),
  fc.double().map(String),
  fc.integer().map(String),
);

/** A price file with replaced characters or bits, sometimes cut, or random bytes. */
const files: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...FILES),
      fc.array(fc.tuple(fc.nat(), fc.nat(12), cell), { maxLength: 6 }),
    )
    .map(([text, changes]) =>
      changes.reduce((given, [at, length, what]) => {
        const start = at % (given.length + 1);
        return given.slice(0, start) + what + given.slice(start + length);
      }, text),
    )
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.tuple(fc.constantFrom(...FILES), fc.nat(), fc.nat(7), fc.nat()).map(([text, at, bit, end]) => {
    const bytes = gzipSync(text);
    bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << bit);
    return bytes.subarray(0, bytes.length - (end % 3 === 0 ? end % bytes.length : 0));
  }),
);

/** A changed file is refused with an error that names it, or its quotes are valid and in order. */
export function priceFilesSuite(folder: string, instruments: Instruments): FuzzSuite {
  const path = join(folder, "BTCUSD.csv");
  return createFuzzSuite({
    name: "files of recorded prices",
    defaultRuns: 500,
    inputs: files,
    async try(content) {
      await writeFile(path, content);
      try {
        await expectOrdered(path, instruments);
      } catch (cause) {
        if (!(cause instanceof PriceFileError)) throw cause;
        assert.ok(cause.message.includes(path), cause.message);
        assert.match(cause.message, /^[^\n]{1,500}$/);
      }
    },
  });
}

async function expectOrdered(path: string, instruments: Instruments): Promise<void> {
  const file = parsePriceFile(path, instruments);
  let lastMs = 0;
  for await (const quotes of await openPriceFile(file, createRowTally(path))) {
    for (const { pair, bid, ask, atMs } of quotes) {
      assert.equal(pair, pairId("BTCUSD"));
      assert.ok(bid > 0 && bid <= ask && Number.isFinite(ask), `${bid} ${ask}`);
      assert.ok(Number.isSafeInteger(atMs) && atMs >= lastMs, `${atMs} after ${lastMs}`);
      lastMs = atMs;
    }
  }
}
