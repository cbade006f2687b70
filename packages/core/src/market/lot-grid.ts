import {
  type MicroUsd,
  QUANTITY_MAX,
  QUANTITY_PER_LOT,
  type Quantity,
  quantity,
  roundToTwelveDigits,
  roundUsd,
} from "../units.ts";
import type { Instrument } from "./instrument.ts";

/** The largest size of an account with the finer grid. @rule D5.grid */
const SMALL_ACCOUNT_MAX: MicroUsd = roundUsd(10_000);

/**
 * The grid step of the pair for an account of this size: the finer one for small accounts, where the instrument has
 * one. @rule D5.grid
 */
export function gridStepOf(instrument: Instrument, accountSize: MicroUsd): Quantity {
  const small = instrument.gridStepSmallAccount;
  return small !== null && accountSize <= SMALL_ACCOUNT_MAX ? small : instrument.gridStep;
}

/**
 * Rounds a size in lots to the nearest step; half a step rounds up. A size above the largest exact quantity becomes
 * that quantity. @rule D5.grid
 */
export function roundToGrid(size: number, step: Quantity): Quantity {
  return quantityOfSteps(Math.round(stepsInSize(size, step)), step);
}

/**
 * Rounds a size in lots to the nearest step, but to at least `open` when the size is at least `open`. The open quantity
 * may be off the grid, for example after the grid became coarser, and closing all of it has to leave nothing.
 * @rule D5.grid
 */
export function roundToGridOrWhole(
  size: number,
  { open, step }: { readonly open: Quantity; readonly step: Quantity },
): Quantity {
  const onGrid = roundToGrid(size, step);
  return roundToTwelveDigits(size * QUANTITY_PER_LOT) >= open
    ? quantity(Math.max(onGrid, open))
    : onGrid;
}

/**
 * Rounds a size in lots down to a grid step, as a cap does. A size above the largest exact quantity becomes that
 * quantity.
 * @rule D5.grid
 */
export function roundDownToGrid(size: number, step: Quantity): Quantity {
  return quantityOfSteps(Math.floor(stepsInSize(size, step)), step);
}

/** The quantity of this many steps, at most the largest multiple of the step that is exact. */
function quantityOfSteps(steps: number, step: Quantity): Quantity {
  return quantity(Math.min(steps, Math.floor(QUANTITY_MAX / step)) * step);
}

function stepsInSize(size: number, step: Quantity): number {
  return roundToTwelveDigits((size * QUANTITY_PER_LOT) / step);
}

/**
 * The minimum position, rounded up to the grid of an account of this size. A minimum of one step of the instrument's
 * grid is one step of the account's grid. @rule D10.leastSize D5.leastPosition
 */
export function minPositionOnGrid(
  instrument: Instrument,
  minimum: Quantity,
  accountSize: MicroUsd,
): Quantity {
  const step = gridStepOf(instrument, accountSize);
  return minimum === instrument.gridStep ? step : quantity(Math.ceil(minimum / step) * step);
}
