import type { Instrument, UnixMs } from "@propgate/core";
import type { MarketHours } from "../market-hours.ts";
import type { OutlierFilter } from "../quotes/outlier-check.ts";
import { FUTURE_TOLERANCE_MS } from "../quotes/quote-intake.ts";
import type { SessionGaps } from "../quotes/session-gaps.ts";
import { isNear, isStale, type Lane, type LaneFault, type LaneQuote } from "./lane.ts";

export interface JudgedQuote {
  readonly quote: LaneQuote;
  readonly lane: Lane;
  /** The pair's other sources. */
  readonly others: readonly Lane[];
  readonly instrument: Instrument;
  /** The middle of the pair's newest accepted quote; null when there is none. */
  readonly lastMid: number | null;
  /** The largest difference between two sources that agree, as a share of the price. */
  readonly agreement: number;
  readonly nowMs: UnixMs;
}

/** Null for a usable quote. Counts the doubts about a new price level in the lane. */
export type JudgeQuote = (judged: JudgedQuote) => LaneFault | null;

interface Distances {
  readonly outliers: OutlierFilter;
  /** Recognizes prices from before a split; when absent, repetition confirms such prices. @rule D13.formerScale */
  readonly gaps?: Pick<SessionGaps, "isOfFormerScale" | "see"> | undefined;
}

/** The checks of one source's quote in their order; the first that fails names the fault. */
export function createQuoteJudge(options: Distances & { readonly hours: MarketHours }): JudgeQuote {
  return (judged) => {
    const { quote, lane, instrument, nowMs } = judged;
    const { offered, atMs } = quote;
    if (!hasPrices(offered)) return "invalid";
    if (offered.bid > offered.ask) return "crossed";
    if (isFromFuture(quote, nowMs)) return "future";
    if (isStale(quote, instrument, nowMs)) return "late";
    if (lane.quote !== null && atMs < lane.quote.atMs) return "older";
    if (!options.hours.isOpenAt(offered.pair, atMs)) return "closed";
    return isFar(judged, options) ? "outlier" : null;
  };
}

/** A price from before a split is certainly wrong, so it does not confirm a doubtful price of another source. */
function isFar(judged: JudgedQuote, { gaps, outliers }: Distances): boolean {
  const { quote, lane, lastMid } = judged;
  if (gaps === undefined) return isOutlier(judged, outliers);
  const priced = { ...quote.offered, atMs: quote.atMs };
  gaps.see(priced);
  if (lastMid === null || !gaps.isOfFormerScale(lastMid, priced))
    return isOutlier(judged, outliers);
  lane.doubt = null;
  return true;
}

function hasPrices({ bid, ask }: LaneQuote["offered"]): boolean {
  return [bid, ask].every((side) => side > 0 && side < Number.POSITIVE_INFINITY);
}

function isFromFuture({ offered }: LaneQuote, nowMs: number): boolean {
  const { madeAtMs, receivedAtMs } = offered;
  const ahead = Math.max((madeAtMs ?? receivedAtMs) - receivedAtMs, receivedAtMs - nowMs);
  return ahead > FUTURE_TOLERANCE_MS;
}

/**
 * A quote far from the pair's newest accepted one is an outlier, unless another source of the pair quotes the same
 * level, or enough quotes of this source in a row do.
 */
function isOutlier(judged: JudgedQuote, { moveMax, confirmedBy }: OutlierFilter): boolean {
  const { quote, lane, lastMid, nowMs } = judged;
  const { mid } = quote;
  if (lastMid === null || isNear(mid, lastMid, moveMax) || isConfirmedElsewhere(judged)) {
    lane.doubt = null;
    return false;
  }
  const { doubt } = lane;
  const isRepeated =
    doubt !== null && isRecent(doubt.atMs, judged) && isNear(mid, doubt.mid, moveMax);
  const seen = isRepeated ? doubt.seen + 1 : 1;
  // A level that was confirmed stays confirmed, until the lane quotes the pair's level again.
  lane.doubt = { mid, seen, atMs: nowMs };
  return seen < confirmedBy;
}

/** Another source counts with its usable quote, and with a quote that is in doubt itself. */
function isConfirmedElsewhere(judged: JudgedQuote): boolean {
  const { quote, others, agreement, instrument, nowMs } = judged;
  return others.some(({ quote: other, doubt }) => {
    const isQuoted =
      other !== null &&
      !isStale(other, instrument, nowMs) &&
      isNear(quote.mid, other.mid, agreement);
    const isDoubted =
      doubt !== null && isRecent(doubt.atMs, judged) && isNear(quote.mid, doubt.mid, agreement);
    return isQuoted || isDoubted;
  });
}

function isRecent(atMs: number, { instrument, nowMs }: JudgedQuote): boolean {
  return nowMs - atMs <= instrument.staleAfterMs;
}
