import {
  type Instrument,
  type Price,
  price,
  type Quote,
  roundToTick,
  unixMs,
} from "@propgate/core";
import type { PriceRow, RowShape } from "./csv-rows.ts";

/** The parameters, besides a row, from which its quotes are made. */
export interface RowQuotesOptions {
  readonly shape: RowShape;
  readonly instrument: Instrument;
  /** The length of a bar in milliseconds. */
  readonly barMs: number;
}

/**
 * The quotes of one row, with the data's own times. A row of `quoteTicks` becomes one quote. A bar becomes four quotes,
 * a quarter of its length apart: open, then low and high (high and low in a bar that fell), then close. The extreme
 * against the bar's direction comes first, as in most real bars. So no stop profits from the known end of the bar.
 */
export function quotesOfRow(row: PriceRow, options: RowQuotesOptions): readonly Quote[] {
  const { pair, at } = { pair: options.instrument.id, at: row.timeMs };
  if (options.shape === "quoteTicks") {
    const [bid = 0, ask = 0] = row.values;
    return [{ pair, bid: price(bid), ask: price(ask), atMs: unixMs(at) }];
  }
  const sides =
    options.shape === "quoteBars" ? sidesOfBar(row) : sidesAroundPrice(row, options.instrument);
  return pathOf(row, options.shape).map((corner, step) => ({
    pair,
    bid: sides(corner).bid,
    ask: sides(corner).ask,
    atMs: unixMs(at + Math.floor((step * options.barMs) / 4)),
  }));
}

/** The index of open, high, low or close in the values of one side of a bar. */
type BarPrice = 0 | 1 | 2 | 3;
type Sides = (corner: BarPrice) => { readonly bid: Price; readonly ask: Price };

function pathOf(row: PriceRow, shape: RowShape): readonly BarPrice[] {
  const value = (index: number) => row.values[index] ?? 0;
  const change =
    shape === "quoteBars" ? value(3) + value(7) - value(0) - value(4) : value(3) - value(0);
  return change >= 0 ? [0, 2, 1, 3] : [0, 1, 2, 3];
}

function sidesOfBar(row: PriceRow): Sides {
  return (corner) => ({
    bid: price(row.values[corner] ?? 0),
    ask: price(row.values[corner + 4] ?? 0),
  });
}

/** Bid and ask around the price of a bar: half of the catalogue's spread on each side, rounded to whole ticks. */
function sidesAroundPrice(row: PriceRow, instrument: Instrument): Sides {
  return (corner) => {
    const middle = row.values[corner] ?? 0;
    const half = (middle * instrument.spreadRatio) / 2;
    return {
      bid: roundToTick(instrument, middle - half),
      ask: roundToTick(instrument, middle + half),
    };
  };
}
