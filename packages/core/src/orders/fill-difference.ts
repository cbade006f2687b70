import type { OrderFilled } from "../state/event.ts";
import type { ShortfallCode } from "../state/fill-difference.ts";
import type { LegSize } from "../state/requested-size.ts";
import { lots, type Quantity } from "../units.ts";

/**
 * The fields with which a fill reports its difference from the order's size; both are absent when there is no
 * difference to report.
 */
export type Difference = Pick<OrderFilled, "shortfall" | "excess">;

/** Differences are rounded to twelve digits: finer than every grid, and without the rounding error of a division. */
const DIGITS = 12;
/**
 * A size that was not given in lots is almost never on the grid. So its rounding is reported only above this fraction
 * of the size.
 */
const REPORTED_SHARE = 0.01;

/**
 * The difference between a fill and its order's size: a shortfall or an excess, in lots. Empty when there is nothing to
 * report. @rule D12.shortfall decides
 */
export function differenceOf(
  filled: Quantity,
  order: {
    /** The order's size in lots, before it is rounded to the grid. */
    readonly lots: number;
    readonly by: LegSize["kind"];
    /** Why the size was reduced; null when only the grid can have changed it. */
    readonly cut: Exclude<ShortfallCode, "roundedToGrid"> | null;
    readonly tookRestAlong: boolean;
  },
): Difference {
  const { cut, tookRestAlong } = order;
  const missing = order.lots - lots(filled);
  const difference = roundDifference(Math.abs(missing), order.lots);
  if (difference === 0) return {};
  const isReported = order.by === "quantity" || difference > order.lots * REPORTED_SHARE;
  if (missing > 0) {
    const code = cut ?? "roundedToGrid";
    return cut !== null || isReported ? { shortfall: { code, lots: difference } } : {};
  }
  const code = tookRestAlong ? "leastPosition" : "roundedToGrid";
  return tookRestAlong || isReported ? { excess: { code, lots: difference } } : {};
}

/**
 * Rounds `difference` at the last of the `DIGITS` digits of the larger of `difference` and `size`, which removes the
 * rounding error of the division.
 */
function roundDifference(difference: number, size: number): number {
  const largest = Math.max(difference, size);
  const lastDigit = 10 ** (Math.floor(Math.log10(largest)) + 1 - DIGITS);
  return Number((Math.round(difference / lastDigit) * lastDigit).toPrecision(DIGITS));
}
