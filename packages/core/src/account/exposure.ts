import type { PricedMarket } from "../market/valuation.ts";
import type { AccountState } from "../state/account.ts";
import { type MicroUsd, microUsd } from "../units.ts";
import { shownValueOf } from "./equity.ts";

/** Sums over the open positions, at their marks. */
export interface OpenExposure {
  /** Σ |net value|. */
  readonly gross: MicroUsd;
  /** Σ net value: a short's is negative. */
  readonly net: MicroUsd;
}

/** Null while a position has no price or no rate. @rule D9.accountIndex */
export function exposureOf(
  { positions }: Pick<AccountState, "positions">,
  market: PricedMarket,
): OpenExposure | null {
  let gross = 0;
  let net = 0;
  for (const position of positions) {
    const value = shownValueOf(position, market);
    if (value === null) return null;
    gross += Math.abs(value.netValue);
    net += value.netValue;
  }
  return { gross: microUsd(gross), net: microUsd(net) };
}
