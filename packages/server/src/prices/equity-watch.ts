import {
  type AccountId,
  type AccountState,
  addUsd,
  balanceOf,
  type Instruments,
  type MicroUsd,
  openFigures,
  type Quote,
  type Quotes,
  ratio,
  type Verdict,
  verdictAt,
} from "@propgate/core";
import { createEquityBands } from "./equity-band.ts";
import { type QuietRange, quietRange } from "./quiet-range.ts";
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
  const ranges = new Map<AccountId, KnownRange>();

  const rangeOf = (state: AccountState, equity: MicroUsd): QuietRange => {
    const known = ranges.get(state.accountId);
    if (known?.state === state) return known.range;
    const range = quietRange(state, equity);
    ranges.set(state.accountId, { state, range });
    return range;
  };

  return {
    replace(state, quotes, watched = "everything") {
      const { accountId, positions } = state;
      if (state.status !== "active" || positions.length === 0) {
        book.replace(accountId, []);
        ranges.delete(accountId);
        return null;
      }
      const seen = watched === "final" ? withoutLows(state) : state;
      const open = openFigures(positions, { quotes, instruments });
      if (!open.ok) {
        // Without a price there is no equity yet, and nobody is judged on an unknown one.
        book.replace(accountId, bands.everyQuote(positions));
        return null;
      }
      const equity = addUsd(balanceOf(state), open.value.unrealizedPnl);
      const verdict = verdictAt(seen, equity);
      const levels =
        verdict === null
          ? bands.around({
              positions,
              open: open.value,
              equity,
              range: rangeOf(seen, equity),
              quotes,
            })
          : bands.everyQuote(positions);
      book.replace(accountId, levels);
      return verdict;
    },
    collect: (quote, into) => book.collect(quote, into),
  };
}

/** Only trades and the network's own work change it, prices do not. */
interface KnownRange {
  readonly state: AccountState;
  readonly range: QuietRange;
}

/** The same account with a recorded drawdown that no equity deepens. */
function withoutLows(state: AccountState): AccountState {
  const statistics = state.pro?.statistics ?? null;
  if (state.pro === null || statistics === null) return state;
  const deepest = { ...statistics, maxDrawdown: ratio(Number.MAX_VALUE) };
  return { ...state, pro: { ...state.pro, statistics: deepest } };
}
