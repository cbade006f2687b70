import { DAY_MS } from "../time/utc-day.ts";
import type { UnixMs } from "../units.ts";
import type { CorporateAction, Split } from "./corporate-action.ts";

/** For this long after a split, prices are compared with the scale from before the split. */
const FORMER_SCALE_WINDOW_MS = DAY_MS;

/**
 * Finds the split that a price does not include although the price is from the time of the split or later. Such a price
 * is from less than a day after the split. It is nearer to `expected` in the scale before the split than to `expected`
 * itself. `expected` is the mid of the pair's newest quote, in the present scale. Distances are ratios: with 50
 * expected after a split of 4:1, a price above 100 has the scale from before. Null for any other price.
 * @rule D13.formerScale decides
 */
export function findMissingSplit(
  expected: number,
  { mid, atMs }: { readonly mid: number; readonly atMs: UnixMs },
  actions: readonly CorporateAction[],
): Split | null {
  let former = expected;
  for (const action of actions.toReversed()) {
    const sinceMs = atMs - action.atMs;
    if (action.kind !== "split" || sinceMs < 0 || sinceMs >= FORMER_SCALE_WINDOW_MS) continue;
    former *= action.newShares / action.oldShares;
    if (ratioBetween(mid, former) < ratioBetween(mid, expected)) return action;
  }
  return null;
}

function ratioBetween(one: number, other: number): number {
  return Math.abs(Math.log(one / other));
}
