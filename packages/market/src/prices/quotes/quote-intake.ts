import {
  type Instruments,
  isFromFuture as isFutureTime,
  midOf,
  type PairId,
  PRICE_MAX,
  PRICE_MIN,
  type Quote,
  type Quotes,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { createMarketHours, type MarketHours } from "../market-hours.ts";
import type { NumberedQuote, OfferedQuote } from "./numbered-quote.ts";
import { createOutlierCheck, type OutlierFilter } from "./outlier-check.ts";
import type { QuoteBus } from "./quote-bus.ts";
import {
  createRejectionTally,
  type QuoteRejection,
  type RejectedQuotes,
} from "./rejection-tally.ts";
import type { SessionGaps } from "./session-gaps.ts";

/**
 * How a quote comes to the intake. `feed`: from a price source; every check applies. `hand`: from the operator,
 * accepted at any distance from the last price. `composed`: from the live feed, which has compared it with other
 * sources; the outlier check is left out. `tape`: an earlier feed has accepted it; the outlier check is left out too.
 */
export type OfferKind = "feed" | "hand" | "composed" | "tape";

/** The result of judging a quote. */
export type QuoteVerdict = "accepted" | QuoteRejection;

/** A venue's time may be this far ahead of the time of receipt. Beyond it a quote counts as one from the future. */
export const FUTURE_TOLERANCE_MS = 1_000;

export interface QuoteIntakeOptions {
  /** The epoch of the numbers; greater than that of every earlier start of this feed. */
  readonly epoch: number;
  /**
   * The instruments. Their trading hours decide which quotes belong to a session, and their limits decide which quotes
   * are late.
   */
  readonly instruments: Instruments;
  /** The limits of the outlier check; null for no check. */
  readonly outliers: OutlierFilter | null;
  /** Carries each accepted quote, before `offer` returns. */
  readonly bus: QuoteBus;
  /** Finds implausible prices after openings and splits. Without it they are not looked for. */
  readonly gaps?: SessionGaps;
  /** Adjusts the pair's newest quote for the corporate actions up to a later time. */
  readonly inScale?: (quote: Quote, at: UnixMs) => Quote;
  /** The quotes of an earlier process. A pair's first offer is compared with the pair's quote among them. */
  readonly known: Quotes;
}

/**
 * Judges every quote and numbers those that it accepts, without waiting. It compares a quote with the pair's newest
 * accepted one, at which the accounts may not have settled yet. The quote's own time decides, not its arrival: so nodes
 * with different clocks agree, and the last quote of a session may arrive late. A session's last quote stays until the
 * next session's first.
 */
export interface QuoteIntake {
  readonly epoch: number;
  /**
   * Begins another epoch: numbers start from 1, and each pair's first offer is compared with the known quotes again.
   */
  beginEpoch(epoch: number): void;
  /** Judges a quote; numbers and publishes it when it is accepted. */
  offer(quote: OfferedQuote, as: OfferKind): QuoteVerdict;
  /** The pair's newest accepted quote in this epoch; null when there is none. */
  newest(pair: PairId): NumberedQuote | null;
  /** Rejects all quotes of the pair until `lift`, also those that an operator sets. */
  halt(pair: PairId): void;
  lift(pair: PairId): void;
  /** How many quotes were accepted in this epoch. */
  acceptedCount(): number;
  /** The rejected quotes since the start, counted by source and pair. */
  rejectedQuotes(): readonly RejectedQuotes[];
}

export function createQuoteIntake(options: QuoteIntakeOptions): QuoteIntake {
  const { bus, known } = options;
  const newest = new Map<PairId, NumberedQuote>();
  const tally = createRejectionTally(options.instruments);
  const judge = createJudge(options);
  const halted = new Set<PairId>();
  let { epoch } = options;
  let number = 0;

  return {
    get epoch() {
      return epoch;
    },
    beginEpoch(next) {
      epoch = next;
      number = 0;
      newest.clear();
    },
    offer(quote, as) {
      const last = newest.get(quote.pair);
      const atMs = timeOf(quote);
      const judged = { quote, atMs, as, last: last ?? known.get(quote.pair) };
      const verdict = halted.has(quote.pair) ? judge.halted(judged) : judge.verdict(judged);
      if (verdict !== "accepted") {
        tally.count(quote, verdict);
        return verdict;
      }
      number += 1;
      const { source, pair, bid, ask, madeAtMs, receivedAtMs } = quote;
      const accepted: NumberedQuote = {
        source,
        pair,
        bid,
        ask,
        atMs,
        madeAtMs,
        receivedAtMs,
        epoch,
        number,
        previous: last?.number ?? 0,
        range: { lowBid: bid, highBid: bid, lowAsk: ask, highAsk: ask },
      };
      newest.set(pair, accepted);
      bus.publish(accepted);
      return verdict;
    },
    newest: (pair) => newest.get(pair) ?? null,
    halt: (pair) => void halted.add(pair),
    lift: (pair) => void halted.delete(pair),
    acceptedCount: () => number,
    rejectedQuotes: () => tally.rows(),
  };
}

/** The venue's own time, or the time of receipt when the venue sends none or a later one. */
function timeOf({ madeAtMs, receivedAtMs }: OfferedQuote): OfferedQuote["receivedAtMs"] {
  return unixMs(Math.min(madeAtMs ?? receivedAtMs, receivedAtMs));
}

interface Judged {
  readonly quote: OfferedQuote;
  readonly atMs: OfferedQuote["receivedAtMs"];
  readonly as: OfferKind;
  /** The pair's newest accepted or known quote; undefined when there is none. */
  readonly last: Quote | undefined;
}

/** Limits that accept every distance. */
const NO_OUTLIERS: OutlierFilter = { moveMax: Number.POSITIVE_INFINITY, confirmedBy: 1 };

/** Makes the checks of a quote. They run in a fixed order, and the first that fails names the reason. */
function createJudge({ instruments, outliers, gaps, inScale }: QuoteIntakeOptions) {
  const hours: MarketHours = createMarketHours(instruments);
  const outlierCheck = createOutlierCheck(outliers ?? NO_OUTLIERS);
  const isLate = ({ quote, atMs }: Judged): boolean => {
    const instrument = instruments.get(quote.pair);
    return instrument !== undefined && quote.receivedAtMs - atMs > instrument.staleAfterMs;
  };

  /** Judges the distance of the quote from `before`, the pair's newest quote converted to the same scale. */
  const distanceOf = ({ quote, atMs, as }: Judged, before: Quote): QuoteVerdict => {
    // A price that an operator sets is accepted at any distance from the last price. @rule D6.quotes decides
    if (as === "hand") return "accepted";
    const gap = gaps?.judge(before, { ...quote, atMs });
    if (gap === "gap") return "gap";
    if (gap === "accepted" || as !== "feed") return "accepted";
    const mids = { mid: midOf(quote), lastMid: midOf(before) };
    return outlierCheck.isDoubtful(quote.pair, mids) ? "outlier" : "accepted";
  };

  const faultOf = (judged: Judged): QuoteRejection | null => {
    const { quote, atMs, last } = judged;
    if (!isTwoSided(quote)) return "crossed";
    if (isFromFuture(quote)) return "future";
    // A quote of a closed market is rejected, so that it values no position and triggers no order.
    // @rule D10.closedMarkets decides
    if (!hours.isOpenAt(quote.pair, atMs)) return "closed";
    if (isLate(judged)) return "late";
    return last !== undefined && isOlder(judged, last) ? "older" : null;
  };

  return {
    verdict(judged: Judged): QuoteVerdict {
      const { quote, atMs, last } = judged;
      const fault = faultOf(judged);
      if (fault !== null) return fault;
      if (last === undefined) return "accepted";
      const distance = distanceOf(judged, inScale?.(last, atMs) ?? last);
      if (distance === "accepted") outlierCheck.forget(quote.pair);
      return distance;
    },
    /**
     * Rejects a quote of a halted pair. A usable quote is noted first, because it may show that the halt is explained.
     * @rule D10.haltedPair decides
     */
    halted(judged: Judged): QuoteVerdict {
      const { quote, atMs } = judged;
      if (faultOf(judged) === null) gaps?.note({ ...quote, atMs });
      return "halted";
    },
  };
}

/**
 * Whether the quote is older than the pair's newest one. A newest quote that a wrong clock has dated in the future does
 * not make others older. @rule D11.futureQuote
 */
function isOlder({ quote, atMs }: Judged, last: Quote): boolean {
  return atMs < last.atMs && !isFutureTime(last.atMs, quote.receivedAtMs);
}

/**
 * Whether the quote's own time is more than `FUTURE_TOLERANCE_MS` ahead of its receipt. The check applies to an
 * operator's quotes too, because later quotes would count as older than such a quote.
 */
function isFromFuture({ madeAtMs, receivedAtMs }: OfferedQuote): boolean {
  return madeAtMs !== null && madeAtMs - receivedAtMs > FUTURE_TOLERANCE_MS;
}

/** False for a quote with its bid above the ask, and for one with an invalid side. @rule D10.exactMoney */
function isTwoSided({ bid, ask }: OfferedQuote): boolean {
  return bid >= PRICE_MIN && bid <= ask && ask <= PRICE_MAX;
}
