import {
  type AccountId,
  type AccountState,
  equityOf,
  type Instruments,
  type Quote,
  type Quotes,
  ratio,
  type Verdict,
  verdictAt,
} from "@propgate/core";
import { createEquityBands } from "./equity-band.ts";
import { quietRange } from "./quiet-range.ts";
import { createTriggerBook } from "./trigger-book.ts";

/** `final`: all but new lows of a pro account. */
export type Watched = "everything" | "final";

/**
 * Which accounts a quote may do something to by their equity alone, without asking each of them. An
 * account is given a band: as long as none of its prices leaves it, the network has no verdict.
 * Only accounts whose band is left are looked at, and then given a new one.
 */
export interface EquityWatch {
  /** Takes the account's newest state; what these quotes do to it, if anything. */
  replace(state: AccountState, quotes: Quotes, watched?: Watched): Verdict | null;
  /** Adds to `into` the accounts whose band the quote leaves. */
  collect(quote: Quote, into: Set<AccountId>): void;
}

export function createEquityWatch(instruments: Instruments): EquityWatch {
  const book = createTriggerBook();
  const bands = createEquityBands(instruments);
  return {
    replace(state, quotes, watched = "everything") {
      const { accountId, positions } = state;
      if (state.status !== "active" || positions.length === 0) {
        book.replace(accountId, []);
        return null;
      }
      const seen = watched === "final" ? withoutLows(state) : state;
      const equity = equityOf(seen, { quotes, instruments });
      // Without a price there is no equity yet, and nobody is judged on an unknown one.
      const verdict = equity.ok ? verdictAt(seen, equity.value) : null;
      if (!equity.ok || verdict !== null) {
        book.replace(accountId, bands.everyQuote(positions));
        return verdict;
      }
      const range = quietRange(seen, equity.value);
      book.replace(accountId, bands.around({ state: seen, equity: equity.value, range, quotes }));
      return null;
    },
    collect: (quote, into) => book.collect(quote, into),
  };
}

/** The same account with a recorded drawdown that no equity deepens. */
function withoutLows(state: AccountState): AccountState {
  const statistics = state.pro?.statistics ?? null;
  if (state.pro === null || statistics === null) return state;
  const deepest = { ...statistics, maxDrawdown: ratio(Number.MAX_VALUE) };
  return { ...state, pro: { ...state.pro, statistics: deepest } };
}
