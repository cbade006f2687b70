import { type Leverage, type MicroUsd, microUsd, roundMicroUsd } from "../units.ts";

export interface Exposure {
  readonly balance: MicroUsd;
  /** Σ |net value| of open positions. */
  readonly positionValue: MicroUsd;
  readonly portfolioCap: Leverage;
}

/** Value that can still be opened: balance × cap − open value, at least 0. @rule D4.buyingPower decides */
export function buyingPowerOf({ balance, positionValue, portfolioCap }: Exposure): MicroUsd {
  return microUsd(Math.max(0, roundMicroUsd(balance * portfolioCap) - positionValue));
}

/** Balance that backs no position yet: buying power over the cap. @rule D4.buyingPower */
export function availableMarginOf(exposure: Exposure): MicroUsd {
  return roundMicroUsd(buyingPowerOf(exposure) / exposure.portfolioCap);
}
