import { LIMITS } from "../limits.ts";

/** The form of a pair in a request, before its slash is removed. */
export const PAIR_NAME = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)?$/;

/**
 * The canonical form of a pair in any spelling: `btc/usd` becomes `BTCUSD`. Null when the text cannot be a pair. Only
 * the catalogue knows whether the pair exists. @rule D1.pairs
 */
export function normalizePairName(text: string): string | null {
  if (text.length > LIMITS.pairNameCharactersMax) return null;
  if (!PAIR_NAME.test(text)) return null;
  return text.replace("/", "").toUpperCase();
}
