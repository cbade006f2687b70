import { type MicroUsd, microUsd, percent } from "../units.ts";
import type { AccountState, ClosedRecord } from "./account.ts";
import type { AccountSnapshot } from "./snapshot.ts";

/** @rule D4.performance */
export function performanceOf(
  state: Pick<AccountState, "record" | "positions" | "phaseStartedAtMs">,
): AccountSnapshot["performance"] {
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

/** Half a micro dollar goes away from zero, as in every amount. */
function averageTradePnl({ trades, netPnl }: ClosedRecord): MicroUsd {
  if (trades === 0) return microUsd(0);
  return microUsd(Math.sign(netPnl) * Math.round(Math.abs(netPnl) / trades));
}
