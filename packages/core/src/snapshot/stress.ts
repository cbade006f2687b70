import { gainOfMove } from "../account/exposure.ts";
import { profitOf } from "../challenge/target.ts";
import type { PairId } from "../ids.ts";
import type { PricedMarket } from "../market/valuation.ts";
import { cycleFigures } from "../payouts/cycle.ts";
import { highestLiveBreachingEquity } from "../rules/registry.ts";
import type { AccountState } from "../state/account.ts";
import { addUsd, type MicroUsd, microUsd } from "../units.ts";

/** The figures of an account after an assumed move of prices. */
export interface StressedAccount {
  /** The gain of the account's positions by the move; negative for a loss. */
  readonly gain: MicroUsd;
  /** True when the move breaches a limit that is checked at every price. */
  readonly ends: boolean;
  /** The payout of the cycle in progress if the week were closed after the move; 0 when the account ends. */
  readonly payable: MicroUsd;
}

/**
 * The account after the prices of some pairs have moved by the ratio `move`, while all other prices and the rates stay:
 * its gain, whether a live limit ends it, and its payout if the week closed after the move. Null while one of these
 * pairs has no price. `equity` is the equity before the move. @rule D9.stress decides
 */
export function stressedAccount(
  state: AccountState,
  equity: MicroUsd,
  { pairs, move, market }: PriceMove,
): StressedAccount | null {
  let gain = microUsd(0);
  for (const position of state.positions) {
    if (!pairs(position.pair)) continue;
    const part = gainOfMove(position, move, market);
    if (part === null) return null;
    gain = addUsd(gain, part);
  }
  const after = addUsd(equity, gain);
  const breachFrom = state.status === "active" ? highestLiveBreachingEquity(state) : null;
  const ends = breachFrom !== null && after <= breachFrom;
  return { gain, ends, payable: ends ? microUsd(0) : payableAt(state, after) };
}

/** An assumed move of the prices of some pairs, by the same ratio. */
export interface PriceMove {
  readonly pairs: (pair: PairId) => boolean;
  /** The move as a fraction: 0.05 is 5 % up. */
  readonly move: number;
  readonly market: PricedMarket;
}

/**
 * The payout of the cycle in progress if the week were closed at this equity; 0 for an account that earns nothing or
 * has ended.
 */
export function payableAt(state: AccountState, equity: MicroUsd): MicroUsd {
  if (state.earning === null || state.status !== "active") return microUsd(0);
  return cycleFigures(state, profitOf(state, equity)).payable;
}
