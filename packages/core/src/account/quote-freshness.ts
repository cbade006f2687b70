import type { PairId } from "../ids.ts";
import { isFresh, isOpen } from "../market/trading.ts";
import { valuationInstruments } from "../market/valuation-instruments.ts";
import type { AccountState } from "../state/account.ts";
import type { Moment } from "../state/moment.ts";
import type { UnixMs } from "../units.ts";

/**
 * The quotes from which an account's value is computed: of the pairs that it holds, and of the pairs that convert them
 * to USD.
 */
export interface QuoteFreshness {
  /**
   * The time of the oldest of these quotes. Null when the account has no position, when one of the quotes is missing,
   * or when no catalogue knows one of the pairs.
   */
  readonly oldestQuoteAtMs: UnixMs | null;
  /**
   * True when a quote is missing, is not fresh although its market is open, or is of a pair that no catalogue knows.
   */
  readonly isStale: boolean;
}

type PricedMoment = Pick<Moment, "now" | "quotes" | "instruments">;

/**
 * Makes a function that finds the quotes of an account, for many accounts at one moment. Each pair is examined only
 * once, because the hours of its market are expensive to compute. @rule D9.accountIndex
 */
export function createQuoteFreshnessFinder(
  moment: PricedMoment,
): (account: Pick<AccountState, "positions">) => QuoteFreshness {
  const judged = new Map<PairId, QuoteFreshness>();
  const ofPair = (pair: PairId): QuoteFreshness => {
    const known = judged.get(pair) ?? freshnessOfPair(pair, moment);
    judged.set(pair, known);
    return known;
  };
  return ({ positions }) => combineFreshness(positions.map(({ pair }) => ofPair(pair)));
}

const NO_QUOTE: QuoteFreshness = { oldestQuoteAtMs: null, isStale: true };

function freshnessOfPair(pair: PairId, moment: PricedMoment): QuoteFreshness {
  const { now, quotes, instruments } = moment;
  const instrument = instruments.get(pair);
  if (instrument === undefined) return NO_QUOTE;
  return combineFreshness(
    valuationInstruments(instrument, moment).map((one) => {
      const quote = quotes.get(one.id);
      if (quote === undefined) return NO_QUOTE;
      const isStale = !isFresh(quote, one, now) && isOpen(one.session, now);
      return { oldestQuoteAtMs: quote.atMs, isStale };
    }),
  );
}

function combineFreshness(parts: readonly QuoteFreshness[]): QuoteFreshness {
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
