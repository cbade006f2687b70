import type { Price } from "@propgate/core";

/** How many decimals a price of whole ticks has at most, such as 2 for a tick of 0.01. The result is never above 12. */
export function tickDecimals(tick: Price): number {
  const [mantissa = "", exponent = "0"] = tick.toExponential().split("e");
  const decimals = (mantissa.split(".")[1] ?? "").length - Number(exponent);
  return Math.min(12, Math.max(0, decimals));
}
