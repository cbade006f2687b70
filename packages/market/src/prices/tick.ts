import type { Price } from "@propgate/core";

/** The maximum number of decimals of a price that is a whole number of ticks; at most 12. */
export function tickDecimals(tick: Price): number {
  const [mantissa = "", exponent = "0"] = tick.toExponential().split("e");
  const decimals = (mantissa.split(".")[1] ?? "").length - Number(exponent);
  return Math.min(12, Math.max(0, decimals));
}
