import {
  type AccountId,
  type AccountState,
  addUsd,
  balanceOf,
  type Instruments,
  type MicroUsd,
  type OpenFigures,
  openFigures,
  type PairId,
  type Quote,
  type Quotes,
  ratio,
  type Verdict,
  verdictAt,
} from "@propgate/core";
import { createEquityBands } from "./equity-band.ts";
import { createPriceTrends } from "./price-trends.ts";
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
  const trends = createPriceTrends();
  const bands = createEquityBands(instruments, (pair) => trends.trendOf(pair));
  // The two ends of a band are apart: a price that reaches one leaves the other as it is.
  const losses = createTriggerBook();
  const gains = createTriggerBook();
  const known = new Map<AccountId, Watched>();

  const watchedAs = (state: AccountState): Watched => {
    const before = known.get(state.accountId);
    if (before?.state === state) return before;
    const watched: Watched = { state, range: null, finalRange: null, bandOf: null };
    known.set(state.accountId, watched);
    return watched;
  };
  /** A new band for an account whose equity is within the range. */
  const stayWithin = (watched: Watched, range: QuietRange, now: Valued): void => {
    const { accountId, positions } = watched.state;
    const { equity, open, quotes } = now;
    const isNew = watched.bandOf !== range;
    watched.bandOf = range;
    const reach = { positions, open, equity, range, quotes };
    const quoteOf = (pair: PairId) => quotes.get(pair) ?? null;
    if (isNew || losses.reaches(accountId, quoteOf)) {
      losses.replace(accountId, bands.losses(reach));
    }
    if (isNew || gains.reaches(accountId, quoteOf)) {
      gains.replace(accountId, bands.gains(reach));
    }
  };
  const recheck = ({ accountId, positions }: AccountState) =>
    losses.replace(accountId, bands.everyQuote(positions));

  return {
    replace(state, quotes) {
      if (state.status !== "active" || state.positions.length === 0) {
        losses.replace(state.accountId, []);
        gains.replace(state.accountId, []);
        known.delete(state.accountId);
        return null;
      }
      const open = openFigures(state.positions, { quotes, instruments });
      if (!open.ok) {
        // Without a price there is no equity yet, and no verdict on an unknown one.
        recheck(state);
        return null;
      }
      const watched = watchedAs(state);
      const equity = addUsd(balanceOf(state), open.value.unrealizedPnl);
      const now = { equity, open: open.value, quotes };
      const verdict = isWithin(watched.range, equity) ? null : verdictAt(state, equity);
      if (verdict === null) {
        watched.range ??= quietRange(state, equity);
        stayWithin(watched, watched.range, now);
        return null;
      }
      if (verdict.kind === "deeper") {
        const final = finalVerdict(watched, equity);
        if (final === null) {
          watched.finalRange ??= quietRange(withoutLows(state), equity);
          stayWithin(watched, watched.finalRange, now);
          return verdict;
        }
        recheck(state);
        return final;
      }
      recheck(state);
      return verdict;
    },
    recheck,
    collect(quote, into) {
      trends.take(quote);
      losses.collect(quote, into);
      gains.collect(quote, into);
    },
  };
}

/** An account and its ranges, which change with trades and due work but not with prices. */
interface Watched {
  readonly state: AccountState;
  /** Null until an equity within it was seen. */
  range: QuietRange | null;
  /** The range without an effect other than a new low. */
  finalRange: QuietRange | null;
  /** The range that the account's band keeps; null before its first band. */
  bandOf: QuietRange | null;
}

/** The equity of an account at these quotes. */
interface Valued {
  readonly equity: MicroUsd;
  readonly open: OpenFigures;
  readonly quotes: Quotes;
}

function isWithin(range: QuietRange | null, equity: MicroUsd): boolean {
  if (range === null) return false;
  return (range.from === null || equity > range.from) && (range.to === null || equity < range.to);
}

/** The verdict of an account with a new low that comes before the low. */
function finalVerdict({ state, finalRange }: Watched, equity: MicroUsd): Verdict | null {
  return isWithin(finalRange, equity) ? null : verdictAt(withoutLows(state), equity);
}

/** The same account with a recorded drawdown that no equity exceeds. */
function withoutLows(state: AccountState): AccountState {
  const statistics = state.pro?.statistics ?? null;
  if (state.pro === null || statistics === null) return state;
  const deepest = { ...statistics, maxDrawdown: ratio(Number.MAX_VALUE) };
  return { ...state, pro: { ...state.pro, statistics: deepest } };
}
