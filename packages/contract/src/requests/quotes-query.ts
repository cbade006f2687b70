import { normalizePairName } from "./pair-name.ts";
import type { QueryParameters } from "./query-string.ts";

/** Which pairs are asked for, in canonical form and each once; null: all of them. */
export type QuotesQuery =
  | { readonly ok: true; readonly pairs: readonly string[] | null }
  | { readonly ok: false; readonly message: string };

/** `pairs`: names with commas between them; whether they are known the catalogue says. @rule D9.quotes */
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

/** What is said of a pair that the catalogue does not have. */
export function unknownPairText(pair: string): string {
  return `'pairs' names ${pair}, which is not a known pair`;
}
