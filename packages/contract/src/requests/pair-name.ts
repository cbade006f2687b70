import { LIMITS } from "../limits.ts";

/** The form of a pair's name in a request, with or without a slash. */
export const PAIR_NAME = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)?$/;

/**
 * A pair's name in upper case and without a slash: `btc/usd` becomes `BTCUSD`. Null when the text cannot be a pair.
 * Only the catalogue knows which pair has this id, display form or alias. @rule D1.pairs D6.aliases
 */
export function normalizePairName(text: string): string | null {
  if (text.length > LIMITS.pairNameCharactersMax) return null;
  if (!PAIR_NAME.test(text)) return null;
  return text.replace("/", "").toUpperCase();
}

/**
 * True when a request's name is the id or the display form of an item's pair. False for an alias, because items do not
 * list aliases.
 */
export function matchesPairName(
  name: string,
  item: { readonly tradePair: string; readonly tradePairDisplay: string },
): boolean {
  const wanted = normalizePairName(name);
  if (wanted === null) return false;
  return [item.tradePair, item.tradePairDisplay].some((own) => normalizePairName(own) === wanted);
}
