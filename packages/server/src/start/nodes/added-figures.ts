import type { PairId } from "@propgate/core";
import type { UnjudgedAccounts } from "../../prices/watch/account-watch.ts";
import { earliest } from "../../storage/group/earliest.ts";
import type { NodeFigures } from "../../storage/rows/node-figures.ts";

/** How many accounts of all nodes hold each pair. */
export function addedHolders(
  own: ReadonlyMap<PairId, number>,
  others: readonly NodeFigures[],
): ReadonlyMap<PairId, number> {
  const added = new Map(own);
  for (const [pair, accounts] of others.flatMap(({ holders }) => holders)) {
    added.set(pair, (added.get(pair) ?? 0) + accounts);
  }
  return added;
}

/** The prices without which accounts of all nodes are not judged, with the most accounts first. */
export function addedUnjudged(
  lists: readonly (readonly UnjudgedAccounts[])[],
): readonly UnjudgedAccounts[] {
  const added = new Map<string, UnjudgedAccounts>();
  for (const one of lists.flat()) {
    const key = `${one.pair} ${one.reason}`;
    const known = added.get(key);
    added.set(key, {
      ...one,
      accounts: one.accounts + (known?.accounts ?? 0),
      sinceMs: earliest(one.sinceMs, known?.sinceMs ?? null),
    });
  }
  return [...added.values()].toSorted((one, other) => other.accounts - one.accounts);
}
