import type { AccountState, ClosedRecord } from "../state/account.ts";
import { type MicroUsd, microUsd, type Percent, percent, type UnixMs } from "../units.ts";

/** How the account has traded. */
export interface Performance {
  /** Closed trades and open positions together. */
  readonly totalTrades: number;
  readonly closedTrades: number;
  readonly wins: number;
  readonly winRatePct: Percent;
  readonly averageTradePnl: MicroUsd;
  /** Average time held of closed trades; null before the first. */
  readonly averageHeldMs: number | null;
  /** Start of the present phase. */
  readonly challengeStartMs: UnixMs;
}

/** @rule D4.performance decides */
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

/** Rounds half a micro dollar away from zero, as every amount does. */
function averageTradePnl({ trades, netPnl }: ClosedRecord): MicroUsd {
  if (trades === 0) return microUsd(0);
  return microUsd(Math.sign(netPnl) * Math.round(Math.abs(netPnl) / trades));
}
