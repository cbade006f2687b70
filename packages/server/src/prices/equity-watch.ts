import {
  type AccountId,
  type AccountState,
  addUsd,
  balanceOf,
  type Instruments,
  type MicroUsd,
  type OpenFigures,
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

/**
 * Finds the accounts whose equity a quote may move to an effect, without checking each account.
 * Each account has a band of prices. While all its prices stay in the band, the network has no
 * verdict. Only accounts whose band was left are checked, and then get a new band.
 */
export interface EquityWatch {
  /**
   * Takes the account's newest state and returns its verdict at these quotes, if any. After a new
   * low the account is only watched for final verdicts until it is replaced again; a final verdict
   * comes first.
   */
  replace(state: AccountState, quotes: Quotes): Verdict | null;
  /** Makes every next quote check the account. */
  recheck(state: AccountState): void;
  /** Adds to `into` the accounts whose band the quote left. */
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

  /** The verdict on an account with open positions; without a verdict it gets a new band. */
  const judge = (state: AccountState, open: OpenFigures, quotes: Quotes): Verdict | null => {
    const { accountId, positions } = state;
    const equity = addUsd(balanceOf(state), open.unrealizedPnl);
    const verdict = verdictAt(state, equity);
    if (verdict !== null) return verdict;
    const range = rangeOf(state, equity);
    book.replace(accountId, bands.around({ positions, open, equity, range, quotes }));
    return null;
  };
  const recheck = ({ accountId, positions }: AccountState) =>
    book.replace(accountId, bands.everyQuote(positions));

  return {
    replace(state, quotes) {
      if (state.status !== "active" || state.positions.length === 0) {
        book.replace(state.accountId, []);
        ranges.delete(state.accountId);
        return null;
      }
      const open = openFigures(state.positions, { quotes, instruments });
      if (!open.ok) {
        // Without a price there is no equity yet, and no verdict on an unknown one.
        recheck(state);
        return null;
      }
      const verdict = judge(state, open.value, quotes);
      const isLow = verdict?.kind === "deeper";
      const final = isLow ? judge(withoutLows(state), open.value, quotes) : verdict;
      if (final !== null) recheck(state);
      return final ?? verdict;
    },
    recheck,
    collect: (quote, into) => book.collect(quote, into),
  };
}

/** The range changes with trades and due work, not with prices. */
interface KnownRange {
  readonly state: AccountState;
  readonly range: QuietRange;
}

/** The same account with a recorded drawdown that no equity exceeds. */
function withoutLows(state: AccountState): AccountState {
  const statistics = state.pro?.statistics ?? null;
  if (state.pro === null || statistics === null) return state;
  const deepest = { ...statistics, maxDrawdown: ratio(Number.MAX_VALUE) };
  return { ...state, pro: { ...state.pro, statistics: deepest } };
}
