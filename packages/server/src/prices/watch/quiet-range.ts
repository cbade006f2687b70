import { type AccountState, type MicroUsd, microUsd, verdictAt } from "@propgate/core";

/** The range of equities without an effect on an account; both ends have one. */
export interface QuietRange {
  /** Null when no loss has an effect. */
  readonly from: MicroUsd | null;
  /** Null when no gain has an effect. */
  readonly to: MicroUsd | null;
}

/** Beyond any account's equity in either direction, with exact sums. */
const FAR = 2 ** 50;

/**
 * Finds both ends from the network's verdicts alone: if one equity has an effect, so has every
 * equity beyond it. `equity` itself must be quiet.
 */
export function quietRange(state: AccountState, equity: MicroUsd): QuietRange {
  return { from: firstLoud(state, equity, -FAR), to: firstLoud(state, equity, FAR) };
}

/** A new low is often near, a limit rarely: the search starts close and doubles its steps. */
const FIRST_STRIDE = 64;
const LONGER = 8;

/** The equity nearest to the quiet one, towards `far`, that has an effect. */
function firstLoud(state: AccountState, equity: MicroUsd, far: number): MicroUsd | null {
  const isLoud = (value: number) => verdictAt(state, microUsd(value)) !== null;
  if (!isLoud(far)) return null;
  let quiet: number = equity;
  let loud = far;
  const stride = far < equity ? -FIRST_STRIDE : FIRST_STRIDE;
  for (let by = stride; loud === far && Math.abs(equity + by) < FAR; by *= LONGER) {
    if (isLoud(equity + by)) loud = equity + by;
    else quiet = equity + by;
  }
  while (Math.abs(loud - quiet) > 1) {
    const middle = Math.floor((loud + quiet) / 2);
    if (isLoud(middle)) loud = middle;
    else quiet = middle;
  }
  return microUsd(loud);
}
