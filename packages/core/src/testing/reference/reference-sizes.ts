/** The sizes of orders in 0.00001 lots, written from the text of the rules. */
import type { Instrument } from "../../market/instrument.ts";
import type { LegSize } from "../../state/requested-size.ts";

/** The values from which a size is computed. */
export interface SizePricing {
  readonly instrument: Instrument;
  readonly price: number;
  /** USD for one unit of the quote currency. */
  readonly usdRate: number;
  /** The balance in micro dollars. */
  readonly cash: number;
  /** The account's size in micro dollars, which determines its grid. */
  readonly accountSize: number;
}

const QUANTITY_PER_LOT = 100_000;
const SMALL_ACCOUNT = 10_000_000_000;
/** A quotient that is nearer to half a step than this fraction of a step may be rounded up or down. */
const STEP_TOLERANCE = 1e-6;

/** The grid step of the pair for the account. @rule D5.grid */
export function stepOf({ instrument, accountSize }: SizePricing): number {
  const { gridStep, gridStepSmallAccount: small } = instrument;
  return small !== null && accountSize <= SMALL_ACCOUNT ? small : gridStep;
}

/** The requested size before the grid, in 0.00001 lots. A `bracketPct` is a share of `whole`. @rule D5.size */
export function rawLots(size: LegSize, at: SizePricing, whole: number): number {
  switch (size.kind) {
    case "quantity":
      return size.lots * QUANTITY_PER_LOT;
    case "bracketPct":
      return size.ratio * whole;
    case "value":
      return (size.value / lotValue(at)) * QUANTITY_PER_LOT;
    case "leverage":
      return ((size.leverage * at.cash) / lotValue(at)) * QUANTITY_PER_LOT;
  }
}

/** The possible sizes on the grid: one size, or a range when the uncertainty of the size may change the rounding. */
export interface SizeRange {
  readonly min: number;
  readonly max: number;
}

/**
 * Rounds to the nearest step, half a step up. `slack` is how far the true size may differ from `raw`, in 0.00001 lots.
 * @rule D5.grid
 */
export function sizesOnGrid(raw: number, step: number, slack = 0): SizeRange {
  const noise = STEP_TOLERANCE * step + Math.abs(raw) * 1e-11 + slack;
  return {
    min: Math.floor((raw - noise) / step + 0.5) * step,
    max: Math.floor((raw + noise) / step + 0.5) * step,
  };
}

/** Whether the quantity, in 0.00001 lots, is within the range of possible sizes. */
export function isInSizeRange(lots: number, { min, max }: SizeRange): boolean {
  return lots >= min && lots <= max;
}

/** The quantity that an exit closes, in 0.00001 lots. */
export interface ExitSize {
  readonly lots: number;
  /** True when the exit also closes a remainder below the minimum position. */
  readonly takesRest: boolean;
}

/** The size of an exit, at most the open quantity. @rule D10.leastGoesAlong D5.neverFlips */
export function exitSize(requested: number, open: number, at: SizePricing): ExitSize {
  if (requested >= open) return { lots: open, takesRest: false };
  const takesRest = isBelowMinimum(open - requested, at);
  return { lots: takesRest ? open : requested, takesRest };
}

/**
 * Whether a size is below the minimum position: one grid step of a forex pair, 0.01 lots of an equity, $10 of any other
 * pair. @rule D5.leastPosition
 */
export function isBelowMinimum(lots: number, at: SizePricing): boolean {
  const { assetClass } = at.instrument;
  if (assetClass === "forex") return lots < stepOf(at);
  if (assetClass === "equities") return lots < QUANTITY_PER_LOT / 100;
  return Math.round((lots / QUANTITY_PER_LOT) * lotValue(at)) < 10_000_000;
}

/** The value of one lot, in micro dollars. */
function lotValue({ instrument, price, usdRate }: SizePricing): number {
  return price * instrument.lotSize * usdRate * 1_000_000;
}
