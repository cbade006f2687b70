import {
  type AccountState,
  balanceOf,
  dailyLossOf,
  drawdownOf,
  equityOf,
  type Moment,
  maxLossOf,
  type UnixMs,
} from "@propgate/core";
import type { EquityFigures } from "../../storage/rows/equity-figures.ts";

/** The limits of a state at an equity. */
export function equityFigures(
  state: AccountState,
  at: Pick<EquityFigures, "atMs" | "equity" | "balance">,
): EquityFigures {
  const drawdown = drawdownOf(state, at.equity);
  const isBound = state.status === "active";
  return {
    ...{ atMs: at.atMs, equity: at.equity, balance: at.balance },
    dailyFloor: isBound ? dailyLossOf(drawdown).floor : null,
    maxFloor: isBound ? maxLossOf(drawdown).floor : null,
  };
}

/** The final figures of an eliminated account, with the floors at its elimination. */
export function finalFigures(state: AccountState, atMs: UnixMs): EquityFigures {
  const balance = balanceOf(state);
  const drawdown = drawdownOf(state, balance);
  return {
    ...{ atMs, equity: balance, balance },
    dailyFloor: dailyLossOf(drawdown).floor,
    maxFloor: maxLossOf(drawdown).floor,
  };
}

/** Null while an open position has no price. */
export function presentFigures(state: AccountState, moment: Moment): EquityFigures | null {
  const equity = equityOf(state, moment);
  if (!equity.ok) return null;
  return equityFigures(state, {
    ...{ atMs: moment.now, equity: equity.value, balance: balanceOf(state) },
  });
}
