import { normalizePairName } from "./pair-name.ts";
import type { QueryParameters } from "./query-string.ts";

/** The requested pairs, in canonical form and each once, or the text of a problem. Null requests every pair. */
export type QuotesQuery =
  | { readonly ok: true; readonly pairs: readonly string[] | null }
  | { readonly ok: false; readonly message: string };

/**
 * Reads `pairs`, names with commas between them. The caller checks that the catalogue has the pairs. @rule D9.quotes
 */
export function parseQuotesQuery(parameters: QueryParameters): QuotesQuery {
  const given = parameters.get("pairs");
  if (given === undefined) return { ok: true, pairs: null };
  const names = given.join(",").split(",");
  const pairs = new Set<string>();
  for (const name of names) {
    const pair = normalizePairName(name.trim());
    if (pair === null) {
      return { ok: false, message: "'pairs' must be pair identifiers with commas between them" };
    }
    pairs.add(pair);
  }
  return { ok: true, pairs: [...pairs] };
}

/** The error text for a pair in `pairs` that is not in the catalogue. */
export function unknownPairText(pair: string): string {
  return `'pairs' names ${pair}, which is not a known pair`;
}
