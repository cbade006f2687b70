import {
  type AccountState,
  type Command,
  type Instruments,
  type PairId,
  ratePairs,
} from "@propgate/core";

/**
 * The pairs whose quotes a decision may read: the pairs of the account's positions and orders, the pair of the command,
 * and the pairs that convert the prices of all these to USD.
 */
export function pairsToRead(
  instruments: Instruments,
  { positions, orders }: Pick<AccountState, "positions" | "orders">,
  command: Command,
): ReadonlySet<PairId> {
  const own = pairOf(command);
  const named = [...positions, ...orders].map(({ pair }) => pair);
  const priced = own === null ? named : [...named, own];
  const rates = priced.flatMap((pair) => {
    const instrument = instruments.get(pair);
    return instrument === undefined ? [] : ratePairs(instrument);
  });
  return new Set([...priced, ...rates]);
}

/** The pair that the command names; null for a command without one. */
export function pairOf(command: Command): PairId | null {
  if (command.type === "editOrder") return command.replacement.pair;
  return "pair" in command ? command.pair : null;
}
