import { CannotStart, type PricePlan, type ValuesByPair, valueForPair } from "@propgate/base";
import { createPairFinder, type Instruments, type PairId } from "@propgate/core";
import type { LiveSource } from "../venues/live-source.ts";

/** The names of all sources that a plan mentions. */
export function sourceNamesOf({ every, classes, pairs }: PricePlan): ReadonlySet<string> {
  return new Set([...(every ?? []), ...[...classes.values(), ...pairs.values()].flat()]);
}

/**
 * Replaces the names of pairs in a setting by their ids. Like a request, a setting may name a pair by its id, display
 * name or alias.
 * @throws CannotStart when it names a pair that the catalogue does not have, or one pair twice
 */
export function withPairIds<Value>(
  setting: ValuesByPair<Value>,
  instruments: Instruments,
  variable: string,
): ValuesByPair<Value> {
  const pairOf = createPairFinder(instruments);
  const pairs = new Map<string, Value>();
  for (const [name, value] of setting.pairs) {
    const pair = pairOf(name);
    if (!instruments.has(pair)) {
      throw new CannotStart(`${variable} names the pair ${name}, which is not in the catalogue`, {
        fix: "Use the pair's id as GET instruments shows it, such as BTCUSD.",
      });
    }
    if (pairs.has(pair)) {
      throw new CannotStart(`${variable} names the pair ${pair} twice, once as ${name}`, {
        fix: "Name it once.",
      });
    }
    pairs.set(pair, value);
  }
  return { ...setting, pairs };
}

/**
 * The sources of each pair of the catalogue by priority, without sources that have no symbol for the pair. Blocked
 * pairs are included. A pair that no source can price has an empty list.
 * @rule D13.blocked
 */
export function resolvePlan(
  plan: PricePlan,
  instruments: Instruments,
  sources: readonly Pick<LiveSource, "name" | "pairs">[],
): ReadonlyMap<PairId, readonly string[]> {
  const priced = new Map(sources.map(({ name, pairs }) => [name, new Set(pairs)]));
  const resolved = new Map<PairId, readonly string[]>();
  for (const [pair, { assetClass }] of instruments) {
    const names = valueForPair(plan, { names: [pair], assetClass }) ?? [];
    resolved.set(
      pair,
      names.filter((name) => priced.get(name)?.has(pair) === true),
    );
  }
  return resolved;
}
