import { addUsd, dollars, roundUsd } from "@propgate/core";
import type { LinkedSummary } from "@propgate/ledger";
import {
  type AccountItem,
  type LinkedAccountRow,
  linkedAccountItem,
  operatorPhase,
} from "@propgate/wire";
import type { LinkedPairs } from "../dashboard/pairs.ts";
import type { LinkedReading } from "../reading-desk.ts";
import { linkedFigures } from "./account-figures.ts";
import { linkedCriteria, linkedElimination, linkedLossLimits } from "./loss-limits.ts";
import { linkedPendingOrdersView } from "./pending-orders.ts";
import { phaseOf } from "./phase.ts";
import { linkedPositionsView } from "./positions.ts";

/**
 * A linked account in the list of all accounts. Its figures are those of the account's own answers; figures that the
 * network did not send are null.
 */
export function linkedAccountRow(
  entry: LinkedSummary,
  reading: LinkedReading | null,
  pairs: LinkedPairs | null,
): LinkedAccountRow {
  const unsent = linkedAccountItem(entry);
  if (reading === null) return { item: unsent, holdings: [] };
  const hasEnded = entry.status === "eliminated" || entry.status === "closed";
  const holdings = hasEnded ? [] : linkedPositionsView(reading, pairs);
  const item = {
    ...unsent,
    ...soldTerms(reading),
    ...(hasEnded ? endOf(entry, reading) : figuresNow(entry, reading)),
    ...exposureOf(holdings),
    restingOrders: hasEnded
      ? 0
      : linkedPendingOrdersView(reading.readings, pairs).filter(
          ({ executionType }) => executionType !== "BRACKET",
        ).length,
  };
  return {
    item,
    holdings: holdings.map(({ tradePair: pair, netValue }) => ({ pair, netValue })),
  };
}

type Holdings = readonly { readonly netValue: number | null }[];

function soldTerms({ readings }: LinkedReading): Partial<AccountItem> {
  const phase = phaseOf(readings);
  const word = phase === null ? null : operatorPhase(phase);
  const { balance, equity } = moneyOf(readings);
  return {
    phase: word,
    step: word,
    size: dollars(readings.info.size),
    assetClass: readings.info.assetClass,
    drawdownCriteria: linkedCriteria(readings),
    balance,
    equity,
  };
}

function moneyOf(readings: LinkedReading["readings"]): Pick<AccountItem, "balance" | "equity"> {
  const { currentBalance, currentEquity } = linkedFigures(readings);
  return { balance: currentBalance, equity: currentEquity };
}

function endOf(entry: LinkedSummary, { readings }: LinkedReading): Partial<AccountItem> {
  const elimination = linkedElimination(readings);
  return {
    endedAtMs: elimination?.atMs ?? entry.endedAtMs,
    endReason: elimination?.reason ?? null,
    isStale: false,
  };
}

/**
 * How much of a limit is used and how much is left, by the equity that the network judges; null where a figure is
 * unknown.
 */
interface LimitShare {
  readonly rule: string | null;
  readonly usedOfLimitPct: number | null;
  readonly remaining: number | null;
  readonly floor: number | null;
}

const NO_SHARE: LimitShare = { rule: null, usedOfLimitPct: null, remaining: null, floor: null };

function figuresNow(
  { readAtMs }: LinkedSummary,
  { readings, readAtMs: readAt }: LinkedReading,
): Partial<AccountItem> {
  const { todayPnl, todayPnlPct } = linkedFigures(readings);
  const rules = linkedLossLimits(readings, readAt)?.rules ?? null;
  const shares = (rules?.limits ?? []).map((limit) => ({
    rule: limit.rule,
    usedOfLimitPct: usedOfLimit(limit),
    remaining: limit.remainingNow,
    floor: limit.floor,
  }));
  const daily = shares.find(({ rule }) => rule === "dailyLoss") ?? NO_SHARE;
  const other = shares.find(({ rule }) => rule !== "dailyLoss") ?? NO_SHARE;
  const nearest = nearestOf(shares);
  return {
    dayStartEquity: rules?.dailyLoss.dayStartEquity ?? null,
    todayPnl,
    todayPnlPct,
    nearestLimit: nearest.rule,
    nearestUsedOfLimitPct: nearest.usedOfLimitPct,
    nearestRemaining: nearest.remaining,
    dailyUsedOfLimitPct: daily.usedOfLimitPct,
    dailyRemaining: daily.remaining,
    dailyFloor: daily.floor,
    lossUsedOfLimitPct: other.usedOfLimitPct,
    lossRemaining: other.remaining,
    lossFloor: other.floor,
    // The validator values positions itself, at prices that it does not send, so their age is that of the reading.
    oldestQuoteAtMs: Object.keys(readings.positions).length === 0 ? null : readAtMs,
  };
}

function usedOfLimit(limit: {
  readonly anchorEquity: number | null;
  readonly equityNow: number | null;
  readonly allowed: number | null;
}): number | null {
  const { anchorEquity: anchor, equityNow, allowed } = limit;
  if (anchor === null || equityNow === null || allowed === null) return null;
  return allowed > 0 ? (Math.max(0, anchor - equityNow) * 100) / allowed : 0;
}

/**
 * The limit of which the largest share is used. `NO_SHARE` when the share of any limit is unknown, because the unknown
 * one may be the largest.
 */
function nearestOf(shares: readonly LimitShare[]): LimitShare {
  if (shares.some(({ usedOfLimitPct }) => usedOfLimitPct === null)) return NO_SHARE;
  const [first = NO_SHARE, ...others] = shares;
  return others.reduce(
    (nearest, one) => ((one.usedOfLimitPct ?? 0) > (nearest.usedOfLimitPct ?? 0) ? one : nearest),
    first,
  );
}

function exposureOf(
  holdings: Holdings,
): Pick<AccountItem, "openPositions" | "exposureGross" | "exposureNet"> {
  const values = holdings.map(({ netValue }) => netValue);
  const known = values.filter((value) => value !== null);
  const isKnown = known.length === values.length;
  return {
    openPositions: holdings.length,
    exposureGross: isKnown ? sumOf(known.map((value) => Math.abs(value))) : null,
    exposureNet: isKnown ? sumOf(known) : null,
  };
}

/** The sum in USD. It is computed in whole micro dollars, so no cent is lost to binary fractions. */
function sumOf(values: readonly number[]): number {
  return dollars(addUsd(...values.map((value) => roundUsd(value))));
}
