import { type Leverage, type MicroUsd, microUsd, roundMicroUsd } from "../units.ts";

/** The figures from which buying power is computed. */
export interface Exposure {
  readonly balance: MicroUsd;
  /** Σ |net value| of the open positions. */
  readonly positionValue: MicroUsd;
  readonly portfolioCap: Leverage;
}

/**
 * The value that can still be opened: balance × portfolio cap − Σ |net value|, at least 0. @rule D4.buyingPower decides
 */
export function buyingPowerOf({ balance, positionValue, portfolioCap }: Exposure): MicroUsd {
  return microUsd(Math.max(0, roundMicroUsd(balance * portfolioCap) - positionValue));
}

/** The part of the balance that backs no position: buying power divided by the portfolio cap. @rule D4.buyingPower */
export function availableMarginOf(exposure: Exposure): MicroUsd {
  return roundMicroUsd(buyingPowerOf(exposure) / exposure.portfolioCap);
}
