import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { pairId, price, unixMs } from "@propgate/core";
import type { NumberedQuote } from "../packages/market/src/prices/quotes/numbered-quote.ts";
import { createRecordingTape } from "../packages/market/src/prices/tape/tape-writer.ts";
import { verifyTape } from "../packages/market/src/prices/tape/verify-tape.ts";
import type { Row } from "./result-tables.ts";

const PAIRS = 200;
/** The number of quotes between two flushes: five seconds of 5,000 quotes a second. */
const QUOTES_A_FLUSH = 25_000;
const FLUSHES = 12;
const FILE = "EURUSD-2020-01-01-ticks.csv.gz";
const FOLDER = process.env.PROPGATE_MARKET_DIR ?? join(process.cwd(), "../shared/market");

/**
 * The row of the tape: the processor time and the bytes of a quote. It uses recorded ticks when their file exists, and
 * invented ones otherwise.
 */
export async function measureTapeCost(): Promise<Row> {
  const rows = await bidsAndAsks();
  const quotes = Array.from({ length: QUOTES_A_FLUSH * FLUSHES }, (_, at) => quoteAt(at, rows));
  const folder = await mkdtemp(join(tmpdir(), "propgate-bench-"));
  const tape = createRecordingTape({ folder, onRepair: () => undefined });
  await tape.open();
  const started = process.cpuUsage();
  for (let flush = 0; flush < FLUSHES; flush += 1) {
    const from = flush * QUOTES_A_FLUSH;
    for (const quote of quotes.slice(from, from + QUOTES_A_FLUSH)) tape.write(quote);
    await tape.flush();
  }
  const { user, system } = process.cpuUsage(started);
  await tape.close();
  const proof = await verifyTape(folder);
  await rm(folder, { recursive: true });
  if (proof.quotes !== quotes.length || proof.faults.length > 0) throw new Error("a bad tape");
  const bytes = proof.bytes / quotes.length;
  const csv = quotes.reduce((sum, quote) => sum + lineOf(quote).length, 0) / quotes.length;
  const nanoseconds = Math.round((1_000 * (user + system)) / quotes.length);
  return {
    what: "a quote on the tape, 5,000 a second over 200 pairs",
    one: `${bytes.toFixed(1)} bytes, ${nanoseconds} ns`,
    other: `as a CSV line: ${csv.toFixed(1)} bytes`,
    ratio: csv / bytes,
    bar: "≥ 5",
  };
}

function lineOf({ atMs, bid, ask }: NumberedQuote): string {
  return `${atMs},${bid},${ask}\n`;
}

async function bidsAndAsks(): Promise<readonly (readonly [number, number])[]> {
  try {
    const text = gunzipSync(await readFile(join(FOLDER, FILE))).toString("utf8");
    const lines = text.trim().split("\n").slice(1);
    return lines.map((line) => {
      const [, bid = 0, ask = 0] = line.split(",").map(Number);
      return [bid, ask];
    });
  } catch {
    return Array.from({ length: 10_000 }, (_, at) => {
      const ticks = 110_000 + ((at * at) % 97);
      return [ticks / 100_000, (ticks + 12) / 100_000];
    });
  }
}

function quoteAt(at: number, rows: readonly (readonly [number, number])[]): NumberedQuote {
  const pair = at % PAIRS;
  const row = rows[(Math.floor(at / PAIRS) + pair * 37) % rows.length];
  const [bid, ask] = [price(row?.[0] ?? 1), price(row?.[1] ?? 1)];
  const madeAtMs = unixMs(1_700_000_000_000 + Math.floor(at / 5));
  return {
    epoch: 1,
    number: at + 1,
    previous: Math.max(0, at + 1 - PAIRS),
    source: "bench",
    pair: pairId(`PAIR${pair}`),
    bid,
    ask,
    atMs: madeAtMs,
    madeAtMs,
    receivedAtMs: unixMs(madeAtMs + ((at * 7_919) % 13)),
    range: { lowBid: bid, highBid: bid, lowAsk: ask, highAsk: ask },
  };
}
