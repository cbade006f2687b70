import { type AccountState, type MicroUsd, microUsd, verdictAt } from "@propgate/core";

/** The equities at which nothing happens to an account as it stands; both ends do something. */
export interface QuietRange {
  /** Null: no loss does anything. */
  readonly from: MicroUsd | null;
  /** Null: no gain does. */
  readonly to: MicroUsd | null;
}

/** No account comes near it in either direction, and its sums stay exact. */
const FAR = 2 ** 50;

/**
 * Both ends, found by asking the network alone: what one equity does to an account, every equity
 * beyond it does as well. `equity` itself has to be quiet.
 */
export function quietRange(state: AccountState, equity: MicroUsd): QuietRange {
  return { from: firstLoud(state, equity, -FAR), to: firstLoud(state, equity, FAR) };
}

/** A new low is often near, a limit seldom: the search starts close by and takes longer strides. */
const FIRST_STRIDE = 64;
const LONGER = 8;

/** The equity nearest to the quiet one, on the way to `far`, that does something. */
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
