import type { Instrument, UnixMs } from "@propgate/core";
import type { MarketHours } from "../market-hours.ts";
import type { OutlierFilter } from "../quotes/outlier-check.ts";
import { FUTURE_TOLERANCE_MS } from "../quotes/quote-intake.ts";
import type { SessionGaps } from "../quotes/session-gaps.ts";
import {
  isNear,
  isStale,
  type PairSource,
  type SourceFault,
  type SourceQuote,
} from "./pair-source.ts";

/** A quote of a source, with the values and sources with which it is compared. */
export interface JudgedQuote {
  readonly quote: SourceQuote;
  readonly source: PairSource;
  /** The pair's other sources. */
  readonly others: readonly PairSource[];
  readonly instrument: Instrument;
  /** The middle price of the pair's newest accepted quote; null when there is none. */
  readonly lastMid: number | null;
  /** The largest difference between two sources that agree, as a share of the price. */
  readonly agreement: number;
  readonly nowMs: UnixMs;
}

/**
 * Judges a quote: returns its fault, or null for a usable quote. It also notes in the source how often a doubtful
 * price level was quoted.
 */
export type QuoteJudge = (judged: JudgedQuote) => SourceFault | null;

interface Distances {
  readonly outliers: OutlierFilter;
  /** Recognizes prices from before a split. Without it, repeated quotes confirm such prices. @rule D13.formerScale */
  readonly gaps?: Pick<SessionGaps, "isOfFormerScale" | "note"> | undefined;
}

/**
 * Makes the function that judges quotes. The checks have the order of `SourceFault`, and the first that fails names the
 * fault.
 */
export function createQuoteJudge(options: Distances & { readonly hours: MarketHours }): QuoteJudge {
  return (judged) => {
    const { quote, source, instrument, nowMs } = judged;
    const { offered, atMs } = quote;
    if (!hasPrices(offered)) return "invalid";
    if (offered.bid > offered.ask) return "crossed";
    if (isFromFuture(quote, nowMs)) return "future";
    if (isStale(quote, instrument, nowMs)) return "late";
    if (source.quote !== null && atMs < source.quote.atMs) return "older";
    if (!options.hours.isOpenAt(offered.pair, atMs)) return "closed";
    return isFar(judged, options) ? "outlier" : null;
  };
}

/**
 * Whether a quote is too far from the pair's last price. A price in the scale from before a split is certainly wrong.
 * So it is not kept as the source's doubtful level, which could confirm the same level of another source.
 */
function isFar(judged: JudgedQuote, { gaps, outliers }: Distances): boolean {
  const { quote, source, lastMid } = judged;
  if (gaps === undefined) return isOutlier(judged, outliers);
  const priced = { ...quote.offered, atMs: quote.atMs };
  gaps.note(priced);
  if (lastMid === null || !gaps.isOfFormerScale(lastMid, priced))
    return isOutlier(judged, outliers);
  source.doubt = null;
  return true;
}

function hasPrices({ bid, ask }: SourceQuote["offered"]): boolean {
  return [bid, ask].every((side) => side > 0 && side < Number.POSITIVE_INFINITY);
}

function isFromFuture({ offered }: SourceQuote, nowMs: number): boolean {
  const { madeAtMs, receivedAtMs } = offered;
  const ahead = Math.max((madeAtMs ?? receivedAtMs) - receivedAtMs, receivedAtMs - nowMs);
  return ahead > FUTURE_TOLERANCE_MS;
}

/**
 * Whether a quote is far from the pair's newest accepted one and unconfirmed. Another source that quotes the same level
 * confirms it, and so do enough quotes of this source in a row.
 */
function isOutlier(judged: JudgedQuote, { moveMax, confirmedBy }: OutlierFilter): boolean {
  const { quote, source, lastMid, nowMs } = judged;
  const { mid } = quote;
  if (lastMid === null || isNear(mid, lastMid, moveMax) || isConfirmedElsewhere(judged)) {
    source.doubt = null;
    return false;
  }
  const { doubt } = source;
  const isRepeated =
    doubt !== null && isRecent(doubt.atMs, judged) && isNear(mid, doubt.mid, moveMax);
  const seen = isRepeated ? doubt.seen + 1 : 1;
  // The count of a confirmed level continues, so it stays confirmed until the source quotes the pair's level again.
  source.doubt = { mid, seen, atMs: nowMs };
  return seen < confirmedBy;
}

/** Whether another source quotes the same level, with its usable quote or with one that is itself in doubt. */
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
