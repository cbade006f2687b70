import type { AccountState, ClosedRecord } from "../state/account.ts";
import { type MicroUsd, microUsd, type Percent, percent, type UnixMs } from "../units.ts";

/** The statistics of an account: its trades over its whole life, and when its present phase began. */
export interface Performance {
  /** The number of closed trades and open positions together. */
  readonly totalTrades: number;
  readonly closedTrades: number;
  readonly wins: number;
  readonly winRatePct: Percent;
  readonly averageTradePnl: MicroUsd;
  /** The average time for which the positions of closed trades were held; null before the first one closes. */
  readonly averageHeldMs: number | null;
  /** The start of the present phase. */
  readonly challengeStartMs: UnixMs;
}

/**
 * The statistics over all closed trades of the account, net of fees, also those of earlier phases. `totalTrades` also
 * counts the open positions. Without a closed trade the win rate and the average PnL are 0, and the average holding
 * time is null. @rule D4.performance decides
 */
export function performanceOf(
  state: Pick<AccountState, "record" | "positions" | "phaseStartedAtMs">,
): Performance {
  const { record } = state;
  return {
    totalTrades: record.trades + state.positions.length,
    closedTrades: record.trades,
    wins: record.wins,
    winRatePct: percent(record.trades === 0 ? 0 : (record.wins * 100) / record.trades),
    averageTradePnl: averageTradePnl(record),
    averageHeldMs: record.trades === 0 ? null : record.heldMs / record.trades,
    challengeStartMs: state.phaseStartedAtMs,
  };
}

/**
 * The average net PnL of a closed trade; 0 without one. Half a micro dollar is rounded away from zero, as in every
 * amount.
 */
function averageTradePnl({ trades, netPnl }: ClosedRecord): MicroUsd {
  if (trades === 0) return microUsd(0);
  return microUsd(Math.sign(netPnl) * Math.round(Math.abs(netPnl) / trades));
}
