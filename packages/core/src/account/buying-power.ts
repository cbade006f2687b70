import { type Leverage, type MicroUsd, microUsd } from "../units.ts";

export interface Exposure {
  readonly balance: MicroUsd;
  /** Σ |net value| of what is open. */
  readonly positionValue: MicroUsd;
  readonly portfolioCap: Leverage;
}

/** Value that can still be opened: balance × cap less what is open, at least 0. @rule D4.buyingPower */
export function buyingPowerOf({ balance, positionValue, portfolioCap }: Exposure): MicroUsd {
  return microUsd(Math.max(0, Math.round(balance * portfolioCap) - positionValue));
}

/** What of the balance backs nothing yet: buying power over the cap. @rule D4.buyingPower */
export function availableMarginOf(exposure: Exposure): MicroUsd {
  return microUsd(Math.round(buyingPowerOf(exposure) / exposure.portfolioCap));
}
