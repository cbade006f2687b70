import type { PairId } from "@propgate/core";
import { earlierTime, mergeByPrice } from "@propgate/ledger";
import type { MissingPrice } from "@propgate/market";
import type { NodeFigures } from "../../storage/node-figures.ts";
import type { Engine } from "../engine.ts";
import type { NodePartitions } from "./node-partitions.ts";

/** The figures that this node reports with each heartbeat. A process without partitions decides all accounts. */
export function nodeFiguresOf(
  { market, due, linesOfFuture }: Pick<Engine, "market" | "due" | "linesOfFuture">,
  partitions: Pick<NodePartitions, "decides"> | null,
): NodeFigures {
  return {
    decides: partitions?.decides ?? true,
    holders: [...market.holders()],
    unjudged: market.missingPrices(),
    awaited: due.awaitedPrices(),
    linesOfFuture: linesOfFuture(),
  };
}

/** How many accounts hold each pair, over all nodes. */
export function sumHolders(
  own: ReadonlyMap<PairId, number>,
  others: readonly NodeFigures[],
): ReadonlyMap<PairId, number> {
  const added = new Map(own);
  for (const [pair, accounts] of others.flatMap(({ holders }) => holders)) {
    added.set(pair, (added.get(pair) ?? 0) + accounts);
  }
  return added;
}

/** The prices without which accounts of any node are not judged; those with the most accounts come first. */
export function mergeUnjudged(
  lists: readonly (readonly MissingPrice[])[],
): readonly MissingPrice[] {
  return mergeByPrice(lists.flat(), (one, other) =>
    earlierTime(one.sinceMs, other.sinceMs) === one.sinceMs ? one : other,
  );
}
