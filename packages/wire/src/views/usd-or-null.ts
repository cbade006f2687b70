import { dollars, type MicroUsd } from "@propgate/core";

/** In USD; null when the amount is unknown. */
export function usdOrNull(amount: MicroUsd | null): number | null {
  return amount === null ? null : dollars(amount);
}
