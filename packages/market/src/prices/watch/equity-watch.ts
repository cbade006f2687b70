import {
  type AccountId,
  type AccountState,
  balanceOf,
  type EffectScope,
  type Instruments,
  type MicroUsd,
  type Quote,
  type Quotes,
  rangesWithoutEffect,
} from "@propgate/core";
import {
  createEquityBands,
  type EquityBands,
  type PositionFigures,
  type ValuedPositions,
} from "./equity-band.ts";
import { createPriceTrends } from "./price-trends.ts";
import { createTriggerBook, NO_LEVELS, type PlacedLevels } from "./trigger-book.ts";

/** `final` ends or passes the account. `record` is a new low of the account or a new level of a limit. */
export type EquityEffect = "final" | "record";

/**
 * Finds the accounts for which a quote may have caused an `EquityEffect`, without checking each account. Each account
 * has a band of prices. While all its prices stay in the band, its equity has no effect. Only accounts with a price
 * outside their band are checked, and then get a new band.
 */
export interface EquityWatch {
  /**
   * Takes the newest state of an account and returns the effect of its equity at these quotes; null without one.
   * `final` has priority over `record`. After `record` the account is only watched for final effects until `update` is
   * called with a new state. After `final` the caller must call `update` with a new state, or `recheck`.
   */
  update(state: AccountState, quotes: Quotes): EquityEffect | null;
  /** Returns the effect of an account that `collect` has added, like `update` without a new state. */
  check(account: WatchedEquity, quotes: Quotes): EquityEffect | null;
  /** Lets the next quote of any of the account's pairs collect the account. */
  recheck(accountId: AccountId): void;
  /** Adds to `into` the accounts with a price that this quote has moved out of their band. */
  collect(quote: Quote, into: Set<WatchedEquity>): void;
}

/** An account with open positions and its watched prices. Only the watch changes it. */
export interface WatchedEquity {
  state: AccountState;
  positions: PositionFigures;
  /**
   * Limits of the open gain, at the indexes below. They are numbers in one array, like the figures of the positions.
   */
  readonly limits: number[];
  losses: PlacedLevels;
  gains: PlacedLevels;
}

/**
 * The indexes in `limits` of the low ends of the two ranges; the high end has the next index. Within the range `all`
 * the open gain has no effect, and within `final` it has no final effect.
 */
const RANGES = { all: 0, final: 2 } as const satisfies Record<EffectScope, number>;
/**
 * The indexes in `limits` of the two ends for which the present levels were made. The value is NaN when the levels must
 * be made again: after a quote has reached one of them, and after the positions have changed.
 */
const LOSSES_TO = 4;
const GAINS_TO = 5;
const UNKNOWN = Number.NaN;

/** A range of the open gain without an effect on the account. Both ends have an effect, unless they are infinite. */
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
    const standing = bands.valuePositions(watched.positions, quotes);
    if (standing === null) {
      // Before the first price the equity is unknown, and an unknown equity has no effect.
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
    update(state, quotes) {
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
      trends.addQuote(quote);
      ends.collect(quote, into);
    },
  };
}

/** Watches the two ends of the bands of all accounts. */
interface BandEnds {
  /** Makes the levels for both ends of the range again, except those that were made for the same end. */
  stayWithin(watched: WatchedEquity, standing: ValuedPositions, range: GainRange): void;
  /** Lets the next quote of any of the account's pairs collect the account. */
  checkNext(watched: WatchedEquity): void;
  remove(watched: WatchedEquity): void;
  collect(quote: Quote, into: Set<WatchedEquity>): void;
}

function createBandEnds(bands: EquityBands): BandEnds {
  // Each end of the bands has its own book, so a price that reaches one end leaves the other end as it is.
  const losses = createTriggerBook<WatchedEquity>();
  const gains = createTriggerBook<WatchedEquity>();
  return {
    stayWithin(watched, standing, { from, to }) {
      const { limits } = watched;
      if (limits[LOSSES_TO] !== from) {
        const levels = bands.lossLevels(standing, standing.gain - from);
        watched.losses = losses.replace(watched, watched.losses, levels);
        limits[LOSSES_TO] = from;
      }
      if (limits[GAINS_TO] !== to) {
        const levels = bands.gainLevels(standing, to - standing.gain);
        watched.gains = gains.replace(watched, watched.gains, levels);
        limits[GAINS_TO] = to;
      }
    },
    checkNext(watched) {
      const levels = bands.everyQuoteLevels(watched.state.positions);
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

/**
 * The ends of both ranges at their indexes in `limits`. Checks then need no other part of the state, because each
 * access to the state would be a cache miss.
 */
function rangesOf(state: AccountState): readonly number[] {
  const balance = balanceOf(state);
  const { all, final } = rangesWithoutEffect(state);
  const lowest = (from: MicroUsd | null) => (from === null ? -Infinity : from - balance);
  const highest = (to: MicroUsd | null) => (to === null ? Infinity : to - balance);
  return [lowest(all.from), highest(all.to), lowest(final.from), highest(final.to)];
}
