/** A second implementation, for tests, of the rule that says when prices may judge an account. @rule D13.judges */
import { pairId } from "../../ids.ts";
import { isOpen } from "../../market/trading.ts";
import type { Moment } from "../../state/moment.ts";
import type { Position } from "../../state/position.ts";
import { unixMs } from "../../units.ts";
import { instrumentOf } from "./valuation-model.ts";

const MINUTE_MS = 60_000;

/**
 * Whether prices may judge an account: every held pair, and every pair that converts one to USD, has a price that is
 * not halted. Where its market is open, the price must also be a recent quote that this process received in the session
 * in progress. For work of the clock, a price with the standing `given` counts as recent.
 */
export function mayJudge(
  positions: readonly Position[],
  moment: Moment,
  by: "clock" | "quote" = "quote",
): boolean {
  return positions.every(({ pair }) => {
    const rate = ratePairOf(pair, moment);
    return isPresent(pair, moment, by) && (rate === null || isPresent(rate, moment, by));
  });
}

function isPresent(pair: string, moment: Moment, by: "clock" | "quote"): boolean {
  const quote = moment.quotes.get(pairId(pair));
  if (quote === undefined) return false;
  const { session, staleAfterMs } = instrumentOf(pair, moment);
  if (quote.standing === "halted") return false;
  if (!isOpen(session, moment.now)) return true;
  const isAdjusted = quote.adjustedToMs !== undefined && quote.adjustedToMs >= quote.atMs;
  if (isAdjusted || quote.standing === "stored") return false;
  if (by === "clock" && quote.standing === "given") return true;
  if (moment.now - quote.atMs > staleAfterMs) return false;
  // After the clock was set back, the quote may be later than the present time, and the loop then checks nothing.
  if (!isOpen(session, quote.atMs)) return false;
  for (let at: number = quote.atMs; at < moment.now; at += MINUTE_MS) {
    if (!isOpen(session, unixMs(at))) return false;
  }
  return true;
}

/** The pair that converts prices to USD; null for a pair that needs none. */
export function ratePairOf(pair: string, moment: Moment): string | null {
  const { base, quote, quoteIsUsd } = instrumentOf(pair, moment);
  if (base === "USD" || quote === "USD" || quoteIsUsd) return null;
  const [direct, inverse] = [`${quote}USD`, `USD${quote}`];
  return moment.quotes.get(pairId(direct)) === undefined ? inverse : direct;
}
