import type { Price } from "@propgate/core";

/** The number of decimals of a price in whole ticks. */
export function tickDecimals(tick: Price): number {
  const [mantissa = "", exponent = "0"] = tick.toExponential().split("e");
  const decimals = (mantissa.split(".")[1] ?? "").length - Number(exponent);
  return Math.min(12, Math.max(0, decimals));
}
