import { dollars, type MicroUsd } from "@propgate/core";

/** The amount in USD; null when it is unknown. */
export function usdOrNull(amount: MicroUsd | null): number | null {
  return amount === null ? null : dollars(amount);
}
