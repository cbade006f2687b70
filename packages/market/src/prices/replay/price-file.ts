import { basename } from "node:path";
import { createPairFinder, type Instrument, type Instruments, type Quote } from "@propgate/core";
import type { RecordedQuote } from "../port.ts";
import { openCsvRows, type PriceRow, type RowShape } from "./csv-rows.ts";
import { PriceFileError } from "./price-file-error.ts";
import { quotesOfRow } from "./row-quotes.ts";
import type { RowTally } from "./row-tally.ts";

/** The length of a bar is the smallest gap between this many rows at the start of the file. */
const ROWS_TO_MEASURE = 32;
const USUAL_BAR_MS = 60_000;

/** A file of price rows, and the instrument that its rows price. */
export interface PriceFile {
  readonly path: string;
  readonly instrument: Instrument;
}

/**
 * Parses `path` or `PAIR=path`. Without a pair the file's name must begin with it: `BTCUSD-2022-01-bars.csv.gz`. Throws
 * a `PriceFileError` for a pair that the catalogue does not have.
 */
export function parsePriceFile(argument: string, instruments: Instruments): PriceFile {
  const named = /^([A-Za-z0-9/._]{1,21})=(.+)$/.exec(argument);
  const path = named?.[2] ?? argument;
  const text = named?.[1] ?? /^\w+/.exec(basename(path))?.[0] ?? "";
  const pairOf = createPairFinder(instruments);
  const names = named === null ? prefixesOf(text) : [text];
  const [instrument] = names.flatMap((name) => instruments.get(pairOf(name)) ?? []);
  if (instrument === undefined) {
    throw new PriceFileError(
      `${path}: unknown pair "${text}"; name the file after its pair or write PAIR=${path}`,
    );
  }
  return { path, instrument };
}

/**
 * The text and its beginnings before an underscore, the longest first. A pair may have an underscore itself, and the
 * name of its file more: `BRK_B_2026.csv`.
 */
function prefixesOf(text: string): readonly string[] {
  const parts = text.split("_");
  return parts.map((_, cut) => parts.slice(0, parts.length - cut).join("_"));
}

/** Opens the file and streams its quotes in groups, in order of time. */
export async function openPriceFile(
  file: PriceFile,
  tally: RowTally,
): Promise<AsyncGenerator<readonly Quote[]>> {
  const { shape, groups } = await openCsvRows(file.path, tally);
  return quoteGroups({ shape, groups, instrument: file.instrument });
}

interface Rows {
  readonly shape: RowShape;
  readonly groups: AsyncIterable<readonly PriceRow[]>;
  readonly instrument: Instrument;
}

async function* quoteGroups(rows: Rows): AsyncGenerator<readonly Quote[]> {
  const { shape, instrument } = rows;
  let measured: PriceRow[] = [];
  let barMs: number | null = null;
  for await (const group of rows.groups) {
    if (barMs === null) {
      measured.push(...group);
      if (measured.length < ROWS_TO_MEASURE) continue;
      barMs = smallestGapMs(measured);
      yield* quotesOf(measured, { shape, instrument, barMs });
      measured = [];
    } else {
      yield* quotesOf(group, { shape, instrument, barMs });
    }
  }
  yield* quotesOf(measured, { shape, instrument, barMs: smallestGapMs(measured) });
}

function* quotesOf(
  rows: readonly PriceRow[],
  options: Parameters<typeof quotesOfRow>[1],
): Generator<readonly Quote[]> {
  if (rows.length > 0) yield rows.flatMap((row) => quotesOfRow(row, options)).map(markRecorded);
}

/** Marks a quote as recorded. The prices of a file are taken as correct, so its quotes are not checked as outliers. */
function markRecorded(quote: Quote): RecordedQuote {
  return { ...quote, source: "replay", madeAtMs: quote.atMs, receivedAtMs: quote.atMs };
}

function smallestGapMs(rows: readonly PriceRow[]): number {
  const gaps = rows.slice(1).map((row, index) => row.timeMs - (rows[index]?.timeMs ?? 0));
  return gaps.length === 0 ? USUAL_BAR_MS : Math.min(...gaps);
}
