import {
  type AccountState,
  balanceOf,
  drawdownOf,
  equityOf,
  type MicroUsd,
  type Moment,
  type UnixMs,
} from "@propgate/core";

/** What an account was worth at one moment, and the equity at which each limit was met. */
export interface EquityFigures {
  readonly atMs: UnixMs;
  readonly equity: MicroUsd;
  readonly balance: MicroUsd;
  /** Null: no limit binds the account. */
  readonly dailyFloor: MicroUsd | null;
  readonly maxFloor: MicroUsd | null;
}

/** The limits as they bind a state at an equity. */
export function equityFigures(
  state: AccountState,
  at: Pick<EquityFigures, "atMs" | "equity" | "balance">,
): EquityFigures {
  const { dailyLoss, maxLoss } = drawdownOf(state, at.equity);
  const isBound = state.status === "active";
  return {
    ...{ atMs: at.atMs, equity: at.equity, balance: at.balance },
    dailyFloor: isBound ? dailyLoss.floor : null,
    maxFloor: isBound ? maxLoss.floor : null,
  };
}

/** Null while what is open cannot be valued. */
export function presentFigures(state: AccountState, moment: Moment): EquityFigures | null {
  const equity = equityOf(state, moment);
  if (!equity.ok) return null;
  return equityFigures(state, {
    ...{ atMs: moment.now, equity: equity.value, balance: balanceOf(state) },
  });
}
