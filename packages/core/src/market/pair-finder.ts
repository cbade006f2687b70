import { type PairId, pairId } from "../ids.ts";
import type { Instrument, Instruments } from "./instrument.ts";

/**
 * Finds the pair that a name in a request means. For an unknown name it returns the name without its slash, in upper
 * case.
 */
export type PairFinder = (name: string) => PairId;

/**
 * Returns a function that finds the pair of a name. Every pair has its id, its display form and its aliases as names,
 * in any case and with or without a slash. @rule D1.pairs D6.aliases decides
 */
export function createPairFinder(instruments: Instruments): PairFinder {
  const pairs = new Map<string, PairId>();
  for (const instrument of instruments.values()) {
    for (const name of namesOf(instrument)) pairs.set(pairKey(name), instrument.id);
  }
  return (name) => {
    const key = pairKey(name);
    return pairs.get(key) ?? pairId(key);
  };
}

/** The key of a name: upper case, without the slash. Two names with the same key mean the same pair. */
export function pairKey(name: string): string {
  return name.replace("/", "").toUpperCase();
}

function namesOf({ id, display, aliases }: Instrument): readonly string[] {
  return [id, display, ...aliases];
}
