import { type MicroUsd, QUANTITY_PER_LOT, type Quantity, quantity, roundUsd } from "../units.ts";
import type { Instrument } from "./instrument.ts";

/** Accounts up to this size, inclusive, have the finer grid. @rule D5.grid */
export const SMALL_ACCOUNT_MAX: MicroUsd = roundUsd(10_000);

/** The least step between two sizes of the pair on an account of this size. @rule D5.grid */
export function gridStepOf(instrument: Instrument, accountSize: MicroUsd): Quantity {
  const small = instrument.gridStepSmallAccount;
  return small !== null && accountSize <= SMALL_ACCOUNT_MAX ? small : instrument.gridStep;
}

/** A size as asked for, in lots, on the nearest step; half a step goes up. @rule D5.grid */
export function nearestOnGrid(size: number, step: Quantity): Quantity {
  return quantity(Math.round(stepsIn(size, step)) * step);
}

/** The last step within `size` lots: what a cap leaves. @rule D5.grid */
export function downToGrid(size: number, step: Quantity): Quantity {
  return quantity(Math.floor(stepsIn(size, step)) * step);
}

/** Twelve digits: what a division leaves behind them is noise, not a part of a step. */
function stepsIn(size: number, step: Quantity): number {
  return Number(((size * QUANTITY_PER_LOT) / step).toPrecision(12));
}
