import type { PairId } from "../ids.ts";
import { leanedOn } from "../market/leaned-on.ts";
import { isFresh, isOpen } from "../market/trading.ts";
import type { AccountState } from "../state/account.ts";
import type { Moment } from "../state/moment.ts";
import type { UnixMs } from "../units.ts";

/** The quotes that an account's value leans on: of the pairs that it holds, and of their rates to USD. */
export interface Leaning {
  /**
   * The time of the oldest of these quotes; null when the account has no position, and while one of the quotes is
   * missing.
   */
  readonly oldestQuoteAtMs: UnixMs | null;
  /** One of them is not fresh although its market is open, is missing, or is of a pair that no catalogue knows. */
  readonly isStale: boolean;
}

type PricedMoment = Pick<Moment, "now" | "quotes" | "instruments">;

/**
 * Judges the quotes of many accounts at one moment, each pair once: whether its market is open is the expensive part.
 * @rule D9.accountIndex
 */
export function leaningAt(
  moment: PricedMoment,
): (account: Pick<AccountState, "positions">) => Leaning {
  const judged = new Map<PairId, Leaning>();
  const ofPair = (pair: PairId): Leaning => {
    const known = judged.get(pair) ?? leaningOfPair(pair, moment);
    judged.set(pair, known);
    return known;
  };
  return ({ positions }) => together(positions.map(({ pair }) => ofPair(pair)));
}

const NO_QUOTE: Leaning = { oldestQuoteAtMs: null, isStale: true };

function leaningOfPair(pair: PairId, moment: PricedMoment): Leaning {
  const { now, quotes, instruments } = moment;
  const instrument = instruments.get(pair);
  if (instrument === undefined) return NO_QUOTE;
  return together(
    leanedOn(instrument, moment).map((one) => {
      const quote = quotes.get(one.id);
      if (quote === undefined) return NO_QUOTE;
      const isStale = !isFresh(quote, one, now) && isOpen(one.session, now);
      return { oldestQuoteAtMs: quote.atMs, isStale };
    }),
  );
}

function together(parts: readonly Leaning[]): Leaning {
  let oldest: UnixMs | null = parts[0]?.oldestQuoteAtMs ?? null;
  let isStale = false;
  for (const part of parts) {
    const { oldestQuoteAtMs: atMs } = part;
    if (atMs === null || oldest === null) oldest = null;
    else if (atMs < oldest) oldest = atMs;
    isStale ||= part.isStale;
  }
  return { oldestQuoteAtMs: oldest, isStale };
}
