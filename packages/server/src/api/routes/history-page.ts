import { parseHistoryQuery, unknownTradePairText } from "@propgate/contract";
import { createPairFinder, type PairId, pairId } from "@propgate/core";
import type { HistoryPage } from "@propgate/ledger";
import { type HandlerInput, type HandlerOptions, minimumReadAt } from "./handler.ts";

/** The page that a query describes, or a text about the problem of the query. */
export type WantedPage =
  | { readonly ok: true; readonly page: HistoryPage }
  | { readonly ok: false; readonly message: string };

/** True for the page of the newest items, which a query without `after` and `since` requests. */
export function isNewest({ after, sinceMs }: HistoryPage): boolean {
  return after === null && sinceMs === null;
}

/**
 * Returns a function that reads the query of order history and fills, in which the pair may be an alias.
 * @rule D9.orderHistory D9.fills
 */
export function createHistoryPageReader({
  instruments,
  networks,
}: Pick<HandlerOptions, "instruments" | "networks">): (input: HandlerInput) => Promise<WantedPage> {
  const aliasOf = createPairFinder(instruments);
  const ownPair = (name: string): PairId | null => {
    const pair = aliasOf(name);
    return instruments.has(pair) ? pair : null;
  };
  // The validator's pair with this id or display form; null when the validator lists no such pair. While the
  // validator's pairs cannot be read, the name counts as an id.
  const linkedPair = async (name: string, input: HandlerInput): Promise<PairId | null> => {
    const listed = await networks.vanta.instruments(minimumReadAt(input));
    if (!listed.ok) return pairId(name);
    const found = listed.value.find(
      (one) => one.tradePair === name || one.tradePairDisplay === name,
    );
    return found === undefined ? null : pairId(found.tradePair);
  };
  return async (input) => {
    const parsed = parseHistoryQuery(input.query);
    if (!parsed.ok) return parsed;
    const { after, limit, sinceMs, pair: name } = parsed;
    const { network } = input.account;
    const pair =
      name === null ? null : network === "vanta" ? await linkedPair(name, input) : ownPair(name);
    if (name !== null && pair === null) {
      return { ok: false, message: unknownTradePairText(aliasOf(name)) };
    }
    return { ok: true, page: { after, limit, pair, sinceMs } };
  };
}
