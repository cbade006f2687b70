import { type ByteReader, UnreadableBytes } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";

const DECIMALS_MAX = 12;
const TICKS_MAX = 2 ** 50;

/** Prices as whole numbers of ticks, where a tick is the step of the column's number of decimals. */
export interface TickColumn {
  readonly prices: readonly number[];
  /**
   * The number of ticks of each price. For a price that is not a whole number of ticks, the number follows from the
   * value that was written for the price before it.
   */
  readonly ticks: readonly number[];
}

/**
 * The smallest number of decimals with which the prices are exact, apart from prices that no number of decimals makes
 * exact. A price is stored as a whole number only when dividing that number gives the same double again, so every price
 * that is read equals the written one bit for bit.
 */
export function decimalsOf(columns: readonly (readonly number[])[]): number {
  let decimals = 0;
  for (const prices of columns) {
    for (const price of prices) {
      if (ticksOf(price, 10 ** decimals) !== null) continue;
      for (let more = decimals + 1; more <= DECIMALS_MAX; more += 1) {
        if (ticksOf(price, 10 ** more) === null) continue;
        decimals = more;
        break;
      }
    }
  }
  return decimals;
}

/** The price as a whole number of ticks; null when it is not exactly one. */
function ticksOf(price: number, scale: number): number | null {
  const ticks = Math.round(price * scale);
  return ticks <= TICKS_MAX && ticks / scale === price ? ticks : null;
}

interface ColumnOptions {
  readonly decimals: number;
  /**
   * The ticks of another column that the reader has already read. Only the differences from them are written; with
   * null, the ticks themselves.
   */
  readonly referenceTicks: readonly number[] | null;
}

/** Writes each price as the difference from the previous one. Prices that are not exact follow as doubles. */
export function writePrices(
  out: ByteWriter,
  prices: readonly number[],
  { decimals, referenceTicks }: ColumnOptions,
): TickColumn {
  const scale = 10 ** decimals;
  const ticks: number[] = [];
  const inexact: number[] = [];
  let last = 0;
  for (const [index, price] of prices.entries()) {
    const exact = ticksOf(price, scale);
    if (exact === null) inexact.push(index);
    const base = referenceTicks?.[index] ?? 0;
    const value = exact === null ? last : exact - base;
    out.whole(value - last);
    ticks.push(value + base);
    last = value;
  }
  out.natural(inexact.length);
  let before = 0;
  for (const index of inexact) {
    out.natural(index - before);
    out.double(prices[index] ?? Number.NaN);
    before = index;
  }
  return { prices, ticks };
}

/** Reads `count` prices that `writePrices` wrote with the same options. */
export function readPrices(
  from: ByteReader,
  count: number,
  { decimals, referenceTicks }: ColumnOptions,
): TickColumn {
  const scale = 10 ** decimals;
  const ticks: number[] = [];
  const prices: number[] = [];
  let last = 0;
  for (let index = 0; index < count; index += 1) {
    last += from.whole();
    const value = last + (referenceTicks?.[index] ?? 0);
    ticks.push(value);
    prices.push(value / scale);
  }
  const inexact = from.natural();
  let index = 0;
  for (let read = 0; read < inexact; read += 1) {
    index += from.natural();
    if (index >= count) throw new UnreadableBytes("a price is outside of its column");
    prices[index] = from.double();
  }
  return { prices, ticks };
}
