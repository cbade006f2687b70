import { LIMITS } from "../limits.ts";

/**
 * The canonical form of a pair as a client may write it: `btc/usd` becomes `BTCUSD`. Null when it
 * cannot be a pair; whether there is such a pair the catalogue knows. @rule D1.pairs
 */
export function normalizePairName(text: string): string | null {
  if (text.length > LIMITS.pairNameCharactersMax) return null;
  if (!/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)?$/.test(text)) return null;
  return text.replace("/", "").toUpperCase();
}
