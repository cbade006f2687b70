import {
  type AccountState,
  balanceOf,
  drawdownOf,
  equityOf,
  type MicroUsd,
  type Moment,
  momentOfHoldings,
  type UnixMs,
} from "@propgate/core";
import type { EquityFigures, LimitFloor } from "../../storage/rows/equity-figures.ts";

/** The figures of an account at one moment. Floors are included only while the account is active. */
export function equityFigures(
  state: AccountState,
  at: Pick<EquityFigures, "atMs" | "equity" | "balance">,
): EquityFigures {
  const { atMs, equity, balance } = at;
  return {
    atMs,
    equity,
    balance,
    floors: state.status === "active" ? floorsOf(state, equity) : [],
  };
}

/** The final figures of an account that has ended. After an elimination they include the floors, else they do not. */
export function finalFigures(state: AccountState, atMs: UnixMs): EquityFigures {
  const balance = balanceOf(state);
  const floors = state.elimination === null ? [] : floorsOf(state, balance);
  return { atMs, equity: balance, balance, floors };
}

function floorsOf(state: AccountState, equity: MicroUsd): readonly LimitFloor[] {
  return drawdownOf(state, equity).limits.map(({ rule, floor }) => ({ rule, floor }));
}

/** The account's figures at the moment; null while an open position has no price. */
export function presentFigures(state: AccountState, moment: Moment): EquityFigures | null {
  const equity = equityOf(state, momentOfHoldings(state, moment));
  if (!equity.ok) return null;
  return equityFigures(state, {
    atMs: moment.now,
    equity: equity.value,
    balance: balanceOf(state),
  });
}
