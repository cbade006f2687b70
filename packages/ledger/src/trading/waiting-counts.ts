import type { AwaitedPrice } from "@propgate/core";

/** A price, and the number of accounts that wait for it. @rule D13.judges */
export interface WaitingCount extends AwaitedPrice {
  readonly accounts: number;
}

/**
 * Adds up the counts, so that each price is listed once, sorted by accounts, greatest first. Of two counts of one
 * price, `older` returns the one that has waited longer.
 */
export function mergeByPrice<Count extends WaitingCount>(
  counts: Iterable<Count>,
  older: (one: Count, other: Count) => Count,
): readonly Count[] {
  const found = new Map<string, Count>();
  for (const one of counts) {
    const key = `${one.pair} ${one.reason}`;
    const known = found.get(key);
    const accounts = one.accounts + (known?.accounts ?? 0);
    found.set(key, { ...(known === undefined ? one : older(known, one)), accounts });
  }
  return [...found.values()].toSorted((one, other) => other.accounts - one.accounts);
}
