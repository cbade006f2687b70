import {
  type Instrument,
  nearestTick,
  type Price,
  price,
  type Quote,
  unixMs,
} from "@propgate/core";
import type { PriceRow, RowShape } from "./csv-rows.ts";

/** The data beside a row that turns it into quotes. */
export interface RowQuotesOptions {
  readonly shape: RowShape;
  readonly instrument: Instrument;
  /** The length of a bar. */
  readonly barMs: number;
}

/**
 * The quotes of one row, with the data's own times. A bar becomes four quotes, a quarter of its
 * length apart: open, then low and high (high and low in a bar that fell), then close. The extreme
 * against the bar's direction comes first, as in most real bars, so no stop profits from the bar's
 * end.
 */
export function quotesOfRow(row: PriceRow, options: RowQuotesOptions): readonly Quote[] {
  const { pair, at } = { pair: options.instrument.id, at: row.timeMs };
  if (options.shape === "quoteTicks") {
    const [bid = 0, ask = 0] = row.values;
    return [{ pair, bid: price(bid), ask: price(ask), atMs: unixMs(at) }];
  }
  const sides =
    options.shape === "quoteBars" ? twoSides(row) : aroundPrice(row, options.instrument);
  return pathOf(row, options.shape).map((corner, step) => ({
    pair,
    bid: sides(corner).bid,
    ask: sides(corner).ask,
    atMs: unixMs(at + Math.floor((step * options.barMs) / 4)),
  }));
}

/** Places of open, high, low and close in a bar's values. */
type Corner = 0 | 1 | 2 | 3;
type Sides = (corner: Corner) => { readonly bid: Price; readonly ask: Price };

function pathOf(row: PriceRow, shape: RowShape): readonly Corner[] {
  const value = (index: number) => row.values[index] ?? 0;
  const change =
    shape === "quoteBars" ? value(3) + value(7) - value(0) - value(4) : value(3) - value(0);
  return change >= 0 ? [0, 2, 1, 3] : [0, 1, 2, 3];
}

function twoSides(row: PriceRow): Sides {
  return (corner) => ({
    bid: price(row.values[corner] ?? 0),
    ask: price(row.values[corner + 4] ?? 0),
  });
}

/** The catalogue's usual spread, half on each side of the price, on whole ticks. */
function aroundPrice(row: PriceRow, instrument: Instrument): Sides {
  return (corner) => {
    const middle = row.values[corner] ?? 0;
    const half = (middle * instrument.spreadRatio) / 2;
    return {
      bid: nearestTick(instrument, middle - half),
      ask: nearestTick(instrument, middle + half),
    };
  };
}
