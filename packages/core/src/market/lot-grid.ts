import {
  type MicroUsd,
  QUANTITY_MAX,
  QUANTITY_PER_LOT,
  type Quantity,
  quantity,
  roundUsd,
} from "../units.ts";
import type { Instrument } from "./instrument.ts";

/** Accounts up to and including this size have the finer grid. @rule D5.grid */
const SMALL_ACCOUNT_MAX: MicroUsd = roundUsd(10_000);

/** The grid step of the pair for an account of this size. @rule D5.grid */
export function gridStepOf(instrument: Instrument, accountSize: MicroUsd): Quantity {
  const small = instrument.gridStepSmallAccount;
  return small !== null && accountSize <= SMALL_ACCOUNT_MAX ? small : instrument.gridStep;
}

/** Rounds a size in lots to the nearest step; half a step rounds up. @rule D5.grid */
export function nearestOnGrid(size: number, step: Quantity): Quantity {
  return ofSteps(Math.round(stepsIn(size, step)), step);
}

/**
 * The size on the grid, or at least all that is open when it asks for as much: a position is off the grid after a start
 * with a coarser one, and what closes the whole leaves nothing. @rule D5.grid
 */
export function nearestOrWhole(
  size: number,
  { open, step }: { readonly open: Quantity; readonly step: Quantity },
): Quantity {
  const onGrid = nearestOnGrid(size, step);
  return withoutNoise(size * QUANTITY_PER_LOT) >= open ? quantity(Math.max(onGrid, open)) : onGrid;
}

/** Rounds a size in lots down to the grid, as a cap does. @rule D5.grid */
export function downToGrid(size: number, step: Quantity): Quantity {
  return ofSteps(Math.floor(stepsIn(size, step)), step);
}

/** At most the last step that is exact. */
function ofSteps(steps: number, step: Quantity): Quantity {
  return quantity(Math.min(steps, Math.floor(QUANTITY_MAX / step)) * step);
}

function stepsIn(size: number, step: Quantity): number {
  return withoutNoise((size * QUANTITY_PER_LOT) / step);
}

/** Twelve digits: anything beyond is noise of a division. */
function withoutNoise(size: number): number {
  return Number(size.toPrecision(12));
}

/**
 * The instrument's minimum position rounded up to the grid of an account of this size. A minimum of one
 * grid step is one step of that grid. @rule D10.leastSize D5.leastPosition
 */
export function minOnGrid(
  instrument: Instrument,
  minimum: Quantity,
  accountSize: MicroUsd,
): Quantity {
  const step = gridStepOf(instrument, accountSize);
  return minimum === instrument.gridStep ? step : quantity(Math.ceil(minimum / step) * step);
}
