import { DAY_MS } from "../time/utc-day.ts";
import type { UnixMs } from "../units.ts";
import type { CorporateAction, Split } from "./corporate-action.ts";

/** Prices are compared with the scale from before a split for this long after its moment. */
const WATCHED_MS = DAY_MS;

/**
 * The split that a price does not include, though it was made at or after its moment: within a day of the split, the
 * price is nearer to the scale from before it than to its own. `expected` is the middle of the pair's newest quote, in
 * the scale of the price. Distances are ratios: with 50 expected after a split of 4:1, a price above 100 is of the
 * former scale. Null for any other price. @rule D13.formerScale decides
 */
export function splitMissingIn(
  expected: number,
  { mid, atMs }: { readonly mid: number; readonly atMs: UnixMs },
  actions: readonly CorporateAction[],
): Split | null {
  let former = expected;
  for (const action of actions.toReversed()) {
    const sinceMs = atMs - action.atMs;
    if (action.kind !== "split" || sinceMs < 0 || sinceMs >= WATCHED_MS) continue;
    former *= action.newShares / action.oldShares;
    if (timesApart(mid, former) < timesApart(mid, expected)) return action;
  }
  return null;
}

function timesApart(one: number, other: number): number {
  return Math.abs(Math.log(one / other));
}
