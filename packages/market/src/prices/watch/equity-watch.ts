import {
  type AccountId,
  type AccountState,
  balanceOf,
  type EffectScope,
  type Instruments,
  type MicroUsd,
  type Quote,
  type Quotes,
  quietRanges,
} from "@propgate/core";
import {
  createEquityBands,
  type EquityBands,
  type PositionFigures,
  type Standing,
} from "./equity-band.ts";
import { createPriceTrends } from "./price-trends.ts";
import { createTriggerBook, NO_LEVELS, type PlacedLevels } from "./trigger-book.ts";

/** Ends or passes the account, or records a new low of it or a new level of a limit. */
export type EquityEffect = "final" | "record";

/**
 * Finds the accounts whose equity a quote may move to an effect, without checking each account.
 * Each account has a band of prices. While all its prices stay in the band, the network has no
 * verdict. Only accounts whose band was left are checked, and then get a new band.
 */
export interface EquityWatch {
  /**
   * Takes the account's newest state and returns the effect of its equity at these quotes, if any. After a
   * record the account is only watched for final effects until it is replaced again; a final effect
   * comes first. After a final effect it must be replaced, or checked again by `recheck`.
   */
  replace(state: AccountState, quotes: Quotes): EquityEffect | null;
  /** As above, for an account of the group that was collected first. */
  check(account: WatchedEquity, quotes: Quotes): EquityEffect | null;
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
  losses: PlacedLevels;
  gains: PlacedLevels;
}

/**
 * The index in `limits` of the low end of each range, with the high end after it: the range without any effect, and the
 * one without a final effect.
 */
const RANGES = { all: 0, final: 2 } as const satisfies Record<EffectScope, number>;
/**
 * The indexes in `limits` of the two ends for which the levels were made; NaN after a quote reached one of the levels.
 */
const LOSSES_TO = 4;
const GAINS_TO = 5;
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
    for (const [place, end] of rangesOf(state).entries()) limits[place] = end;
    return watched;
  };
  const check = (watched: WatchedEquity, quotes: Quotes): EquityEffect | null => {
    const standing = bands.standing(watched.positions, quotes);
    if (standing === null) {
      // Before the first price there is no equity, and unknown equity has no effect.
      ends.checkNext(watched);
      return null;
    }
    const quiet = rangeIn(watched, "all");
    if (isWithin(quiet, standing.gain)) {
      ends.stayWithin(watched, standing, quiet);
      return null;
    }
    const final = rangeIn(watched, "final");
    if (!isWithin(final, standing.gain)) return "final";
    ends.stayWithin(watched, standing, final);
    return "record";
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
  const limits = [...rangesOf(state), UNKNOWN, UNKNOWN];
  return { state, positions, limits, losses: NO_LEVELS, gains: NO_LEVELS };
}

function rangeIn({ limits }: WatchedEquity, scope: EffectScope): GainRange {
  const at = RANGES[scope];
  return { from: limits[at] ?? UNKNOWN, to: limits[at + 1] ?? UNKNOWN };
}

function isWithin({ from, to }: GainRange, gain: number): boolean {
  return gain > from && gain < to;
}

/** The ends of both ranges, in their places. Checks need no other part of the state, which would be a cache miss. */
function rangesOf(state: AccountState): readonly number[] {
  const balance = balanceOf(state);
  const { all, final } = quietRanges(state);
  const lowest = (from: MicroUsd | null) => (from === null ? -Infinity : from - balance);
  const highest = (to: MicroUsd | null) => (to === null ? Infinity : to - balance);
  return [lowest(all.from), highest(all.to), lowest(final.from), highest(final.to)];
}
