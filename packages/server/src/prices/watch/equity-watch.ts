import {
  type AccountId,
  type AccountState,
  balanceOf,
  type Instruments,
  type MicroUsd,
  microUsd,
  type Quote,
  type Quotes,
  ratio,
  type Verdict,
  verdictAt,
} from "@propgate/core";
import {
  createEquityBands,
  type EquityBands,
  type PositionFigures,
  type Standing,
} from "./equity-band.ts";
import { createPriceTrends } from "./price-trends.ts";
import { quietRange } from "./quiet-range.ts";
import { createTriggerBook, NO_LEVELS, type PlacedLevels } from "./trigger-book.ts";

/**
 * Finds the accounts whose equity a quote may move to an effect, without checking each account.
 * Each account has a band of prices. While all its prices stay in the band, the network has no
 * verdict. Only accounts whose band was left are checked, and then get a new band.
 */
export interface EquityWatch {
  /**
   * Takes the account's newest state and returns its verdict at these quotes, if any. After a new
   * low or level the account is only watched for final verdicts until it is replaced again; a final verdict
   * comes first. After a final verdict it must be replaced, or checked again by `recheck`.
   */
  replace(state: AccountState, quotes: Quotes): Verdict | null;
  /** The same for a collected account. */
  check(account: WatchedEquity, quotes: Quotes): Verdict | null;
  /** Makes every next quote collect the account. */
  recheck(accountId: AccountId): void;
  /** Adds to `into` the accounts whose band the quote left. */
  collect(quote: Quote, into: Set<WatchedEquity>): void;
}

/** An account with open positions, and its levels. Only the watch changes it. */
export interface WatchedEquity {
  state: AccountState;
  positions: PositionFigures;
  /** Limits of the open gain, by the places below. They are side by side, as the figures are. */
  readonly limits: number[];
  /** The range without an effect other than a new low or level; null before the first of them. */
  finalRange: GainRange | null;
  losses: PlacedLevels;
  gains: PlacedLevels;
}

/** Where `limits` has the range without an effect; NaN until an equity within it was seen. */
const RANGE_FROM = 0;
const RANGE_TO = 1;
/** Where `limits` has the ends that the levels are made for; NaN after a quote at one of them. */
const LOSSES_TO = 2;
const GAINS_TO = 3;
const UNKNOWN = Number.NaN;

/** The open gains without an effect on an account; both ends have one, unless they are infinite. */
interface GainRange {
  readonly from: number;
  readonly to: number;
}

export function createEquityWatch(instruments: Instruments): EquityWatch {
  const trends = createPriceTrends();
  const bands = createEquityBands(instruments, (pair) => trends.trendOf(pair));
  const ends = createBandEnds(bands);
  const known = new Map<AccountId, WatchedEquity>();

  const watchedAs = (state: AccountState): WatchedEquity => {
    const { accountId, positions } = state;
    const watched = known.get(accountId);
    if (watched === undefined) {
      const added = newWatched(state, bands.figuresOf(positions));
      known.set(accountId, added);
      return added;
    }
    if (watched.state === state) return watched;
    const { limits } = watched;
    if (watched.state.positions !== positions) {
      watched.positions = bands.figuresOf(positions);
      limits[LOSSES_TO] = UNKNOWN;
      limits[GAINS_TO] = UNKNOWN;
    }
    watched.state = state;
    limits[RANGE_FROM] = UNKNOWN;
    limits[RANGE_TO] = UNKNOWN;
    watched.finalRange = null;
    return watched;
  };
  /** The verdict on an account outside its known range. */
  const verdictOn = (watched: WatchedEquity, standing: Standing): Verdict | null => {
    const { state, limits } = watched;
    const equity = microUsd(balanceOf(state) + standing.gain);
    const verdict = verdictAt(state, equity);
    if (verdict === null) {
      const range = gainRange(state, equity);
      limits[RANGE_FROM] = range.from;
      limits[RANGE_TO] = range.to;
      ends.stayWithin(watched, standing, range);
      return null;
    }
    if (isFinal(verdict)) return verdict;
    if (watched.finalRange === null || !isWithin(watched.finalRange, standing.gain)) {
      const withoutLow = withoutRecords(state);
      const final = verdictAt(withoutLow, equity);
      if (final !== null) return final;
      watched.finalRange = gainRange(withoutLow, equity);
    }
    ends.stayWithin(watched, standing, watched.finalRange);
    return verdict;
  };
  const check = (watched: WatchedEquity, quotes: Quotes): Verdict | null => {
    const standing = bands.standing(watched.positions, quotes);
    if (standing === null) {
      // Without a price there is no equity yet, and no verdict on an unknown one.
      ends.checkNext(watched);
      return null;
    }
    const { limits } = watched;
    const range = { from: limits[RANGE_FROM] ?? UNKNOWN, to: limits[RANGE_TO] ?? UNKNOWN };
    if (!isWithin(range, standing.gain)) return verdictOn(watched, standing);
    ends.stayWithin(watched, standing, range);
    return null;
  };

  return {
    replace(state, quotes) {
      const { accountId, status, positions } = state;
      if (status === "active" && positions.length > 0) return check(watchedAs(state), quotes);
      const former = known.get(accountId);
      if (former !== undefined) ends.remove(former);
      known.delete(accountId);
      return null;
    },
    check,
    recheck(accountId) {
      const watched = known.get(accountId);
      if (watched !== undefined) ends.checkNext(watched);
    },
    collect(quote, into) {
      trends.take(quote);
      ends.collect(quote, into);
    },
  };
}

/** The levels of all accounts. */
interface BandEnds {
  /** Makes levels for both ends of the range, where those that the account has do not fit. */
  stayWithin(watched: WatchedEquity, standing: Standing, range: GainRange): void;
  /** Makes every next quote collect the account. */
  checkNext(watched: WatchedEquity): void;
  remove(watched: WatchedEquity): void;
  collect(quote: Quote, into: Set<WatchedEquity>): void;
}

function createBandEnds(bands: EquityBands): BandEnds {
  // The two ends of a band are apart: a price that reaches one leaves the other as it is.
  const losses = createTriggerBook<WatchedEquity>();
  const gains = createTriggerBook<WatchedEquity>();
  return {
    stayWithin(watched, standing, { from, to }) {
      const { limits } = watched;
      if (limits[LOSSES_TO] !== from) {
        const levels = bands.losses(standing, standing.gain - from);
        watched.losses = losses.replace(watched, watched.losses, levels);
        limits[LOSSES_TO] = from;
      }
      if (limits[GAINS_TO] !== to) {
        const levels = bands.gains(standing, to - standing.gain);
        watched.gains = gains.replace(watched, watched.gains, levels);
        limits[GAINS_TO] = to;
      }
    },
    checkNext(watched) {
      const levels = bands.everyQuote(watched.state.positions);
      watched.losses = losses.replace(watched, watched.losses, levels);
      watched.limits[LOSSES_TO] = UNKNOWN;
    },
    remove(watched) {
      losses.replace(watched, watched.losses, []);
      gains.replace(watched, watched.gains, []);
    },
    collect(quote, into) {
      losses.collect(quote, (watched) => {
        watched.limits[LOSSES_TO] = UNKNOWN;
        into.add(watched);
      });
      gains.collect(quote, (watched) => {
        watched.limits[GAINS_TO] = UNKNOWN;
        into.add(watched);
      });
    },
  };
}

function newWatched(state: AccountState, positions: PositionFigures): WatchedEquity {
  const limits = [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN];
  return { state, positions, limits, finalRange: null, losses: NO_LEVELS, gains: NO_LEVELS };
}

/** False for an unknown range. */
function isWithin({ from, to }: GainRange, gain: number): boolean {
  return gain > from && gain < to;
}

/** The range around that equity. */
function gainRange(state: AccountState, equity: MicroUsd): GainRange {
  const balance = balanceOf(state);
  const { from, to } = quietRange(state, equity);
  return {
    from: from === null ? Number.NEGATIVE_INFINITY : from - balance,
    to: to === null ? Number.POSITIVE_INFINITY : to - balance,
  };
}

/** Whether the verdict ends or passes the account, rather than recording a low or a level of a limit. */
function isFinal({ kind }: Verdict): boolean {
  return kind === "breach" || kind === "passed";
}

/** The same account with a recorded drawdown that no equity exceeds, and without levels to record. */
function withoutRecords(state: AccountState): AccountState {
  const { nearLevels, ...rest } = state.terms;
  const unlevelled = nearLevels === undefined ? state : { ...state, terms: rest };
  const { pro } = unlevelled;
  const statistics = pro?.statistics ?? null;
  if (pro === null || statistics === null) return unlevelled;
  const deepest = { ...statistics, maxDrawdown: ratio(Number.MAX_VALUE) };
  return { ...unlevelled, pro: { ...pro, statistics: deepest } };
}
