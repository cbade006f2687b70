import { deflateRawSync, inflateRawSync } from "node:zlib";
import { price, unixMs } from "@propgate/core";
import { createByteReader, UnreadableBytes } from "../tape/byte-reader.ts";
import { type ByteWriter, createByteWriter } from "../tape/byte-writer.ts";
import { decimalsOf, readPrices, type TickColumn, writePrices } from "../tape/price-column.ts";
import type { Candle, CandlePrices } from "./candle-reader.ts";

/** The two values of the first byte of packed candles: the columns follow uncompressed, or compressed. */
const PLAIN = 1;
const COMPRESSED = 2;
/** Up to this number of candles the columns are not compressed, because compression would make them larger. */
const PLAIN_MAX = 1;
const MS_PER_MINUTE = 60_000;
/**
 * The next side is written as differences from a side only when none of that side's prices exceeds this number of
 * ticks. Larger ones would lose digits.
 */
const TICKS_MAX = 2 ** 50;
const PARTS = ["open", "high", "low", "close"] as const satisfies (keyof CandlePrices)[];
const SIDES = ["bid", "ask", "mid"] as const satisfies (keyof Candle)[];

/**
 * Packs the minute candles of an hour, or the hour candles of a day, into as few bytes as possible, column by column.
 * `hourMs` is the start of that hour or day. Unpacking returns every price exactly, bit for bit.
 */
export function packCandles(hourMs: number, candles: readonly Candle[]): Uint8Array {
  const out = createByteWriter();
  out.natural(candles.length);
  for (const { startMs } of candles) out.natural((startMs - hourMs) / MS_PER_MINUTE);
  for (const { count } of candles) out.natural(count);
  let besideSide: Beside | null = null;
  for (const side of SIDES) {
    const columns = PARTS.map((part) => candles.map((candle) => candle[side][part]));
    const decimals = Math.max(decimalsOf(columns), besideSide?.decimals ?? 0);
    out.byte(decimals);
    besideSide = writeSide(out, columns, { decimals, columns: besideSide });
  }
  return candles.length <= PLAIN_MAX
    ? Buffer.concat([Buffer.of(PLAIN), out.written()])
    : Buffer.concat([Buffer.of(COMPRESSED), deflateRawSync(out.written())]);
}

/**
 * Unpacks the bytes that `packCandles` made. Throws `UnreadableBytes` when they have another form, and an error of zlib
 * when they cannot be decompressed.
 */
export function unpackCandles(hourMs: number, packed: Uint8Array): readonly Candle[] {
  const from = createByteReader(columnsOf(packed));
  const size = from.natural();
  const starts = Array.from({ length: size }, () => hourMs + from.natural() * MS_PER_MINUTE);
  const counts = Array.from({ length: size }, () => from.natural());
  let besideSide: Beside | null = null;
  const sides: Beside[] = [];
  for (const _ of SIDES) {
    const decimals = from.byte();
    const read: TickColumn[] = [];
    for (const index of PARTS.keys()) {
      const beside = besideTicks({ decimals, columns: besideSide }, index, read[0]);
      read.push(readPrices(from, size, { decimals, referenceTicks: beside }));
    }
    besideSide = { decimals, columns: read };
    sides.push(besideSide);
  }
  const pricesAt = (side: number, index: number): CandlePrices => {
    const at = (part: number) => price(sides[side]?.columns[part]?.prices[index] ?? Number.NaN);
    return { open: at(0), high: at(1), low: at(2), close: at(3) };
  };
  return starts.map((startMs, index) => ({
    startMs: unixMs(startMs),
    bid: pricesAt(0, index),
    ask: pricesAt(1, index),
    mid: pricesAt(2, index),
    count: counts[index] ?? 0,
  }));
}

function columnsOf(packed: Uint8Array): Uint8Array {
  if (packed[0] === PLAIN) return packed.subarray(1);
  if (packed[0] === COMPRESSED) return inflateRawSync(packed.subarray(1));
  throw new UnreadableBytes("candles of another form");
}

/** A side, such as the bid, that is already written. The next side is written as small differences from it. */
interface Beside {
  readonly decimals: number;
  readonly columns: readonly TickColumn[];
}

/** The number of decimals of a side, and the side written before it; null for the first side. */
interface SideForm {
  readonly decimals: number;
  readonly columns: Beside | null;
}

function writeSide(
  out: ByteWriter,
  columns: readonly (readonly number[])[],
  form: SideForm,
): Beside {
  const written: TickColumn[] = [];
  for (const [index, prices] of columns.entries()) {
    const beside = besideTicks(form, index, written[0]);
    written.push(writePrices(out, prices, { decimals: form.decimals, referenceTicks: beside }));
  }
  return { decimals: form.decimals, columns: written };
}

/**
 * The prices, in ticks, from which a part of a side is written as differences. They are the same part of the previous
 * side. The first side's other parts use its opens. Null for the first side's opens, and when the ticks are too large.
 */
function besideTicks(
  { decimals, columns: side }: SideForm,
  part: number,
  opens: TickColumn | undefined,
): readonly number[] | null {
  if (side === null) return opens?.ticks ?? null;
  const finer = 10 ** (decimals - side.decimals);
  const ticks = side.columns[part]?.ticks.map((one) => one * finer) ?? [];
  return ticks.every((one) => one <= TICKS_MAX) ? ticks : null;
}
