import type { Account, Linked } from "@propgate/contract";
import { dollars, microUsd } from "@propgate/core";
import type { LinkedRecord } from "@propgate/ledger";
import { durationText } from "@propgate/wire";
import type { LinkedDailyReturn, LinkedReadings } from "../dashboard/linked-readings.ts";
import type { LinkedPairs } from "../dashboard/pairs.ts";
import { subtractUsd, sumUsd } from "./exact-usd.ts";
import { type ClosedPosition, closedPosition, feesOf } from "./trades.ts";

/** The stored records of an account from which its statistics are computed. */
export interface LinkedHistory {
  /** Records of the kind `closedPosition`. */
  readonly closedPositions: readonly LinkedRecord[];
  /** Records of the kind `dailyReturn`. */
  readonly dailyReturns: readonly LinkedRecord[];
}

/**
 * The account's trade statistics. Wins and averages are over closed trades, and a win is a profit after fees;
 * `totalTrades` also counts the open positions. `isPartial`: the result of at least one closed trade is unknown. Then
 * `totalWins` counts only the known results, and the win rate and the average PnL are null. @rule D4.performance
 */
export function linkedPerformance(
  readings: LinkedReadings,
  { closedPositions, dailyReturns }: LinkedHistory,
  pairs: LinkedPairs | null,
): { readonly view: Account<Linked>["performance"]; readonly isPartial: boolean } {
  const trades = closedPositions.map(closedPosition);
  const results = trades.map((trade) => subtractUsd(trade.realizedPnl, feesOf(trade, pairs)));
  const known = results.filter((result) => result !== null);
  const isPartial = known.length < trades.length;
  const wins = known.filter((result) => result > 0).length;
  const heldMs = averageHeldMs(trades);
  return {
    isPartial,
    view: {
      totalTrades: trades.length + Object.keys(readings.positions).length,
      winRate: isPartial ? null : averagePerTrade(wins * 100, trades.length),
      totalWins: wins,
      avgTradePnL: isPartial ? null : averageUsd(known),
      tradeDuration: durationText(heldMs),
      tradeDurationMs: heldMs,
      challengeStartMs: phaseStartMs(readings),
      dailyReturns: dailyReturns
        .map(({ body }) => JSON.parse(body) as LinkedDailyReturn)
        .toSorted((one, other) => one.date.localeCompare(other.date))
        .map(({ date, percent }) => ({ date, value: percent })),
    },
  };
}

/** The start of the present phase; null when it was not sent. The first phase begins with the account's challenge. */
function phaseStartMs({ challenge }: LinkedReadings): number | null {
  if (challenge === null) return null;
  const isFirst = challenge.bucket === "SUBACCOUNT_CHALLENGE";
  return challenge.bucketStartMs ?? (isFirst ? challenge.startMs : null);
}

/** An average over the closed trades; 0 before the first one. */
function averagePerTrade(sum: number, trades: number): number {
  return trades === 0 ? 0 : sum / trades;
}

function averageUsd(results: Parameters<typeof sumUsd>[0]): number | null {
  const sum = sumUsd(results);
  if (sum === null) return null;
  const average = Math.sign(sum) * Math.round(averagePerTrade(Math.abs(sum), results.length));
  return dollars(microUsd(average));
}

function averageHeldMs(trades: readonly ClosedPosition[]): number | null {
  if (trades.length === 0) return null;
  return trades.reduce((sum, { openMs, closeMs }) => sum + closeMs - openMs, 0) / trades.length;
}
