import { parseHistoryQuery, type QueryParameters, unknownTradePairText } from "@propgate/contract";
import { type Instruments, pairNames } from "@propgate/core";
import type { HistoryPage } from "@propgate/ledger";

export type WantedPage =
  | { readonly ok: true; readonly page: HistoryPage }
  | { readonly ok: false; readonly message: string };

/** Reads the query of order history and fills, whose pair may be an alias. @rule D9.orderHistory D9.fills */
export function historyPages(instruments: Instruments): (query: QueryParameters) => WantedPage {
  const pairOf = pairNames(instruments);
  return (query) => {
    const parsed = parseHistoryQuery(query);
    if (!parsed.ok) return parsed;
    const { after, limit, sinceMs } = parsed;
    const pair = parsed.pair === null ? null : pairOf(parsed.pair);
    if (pair !== null && !instruments.has(pair)) {
      return { ok: false, message: unknownTradePairText(pair) };
    }
    return { ok: true, page: { after, limit, pair, sinceMs } };
  };
}
