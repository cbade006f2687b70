import type { FillItem } from "./resources/order-history.ts";
import type { EXCESSES, SHORTFALLS } from "./words.ts";

/** Why a fill has less than its order's size. The text is empty for `cap`, because `bindingCap` names the cap. */
const SHORTFALL_REASONS: Readonly<Record<(typeof SHORTFALLS)[number], string>> = {
  cap: "",
  nothingLeft: ": no more was open",
  neverFlips: ": an order against a position never opens the other side",
  roundedToGrid: ": rounded to the grid",
};

const EXCESS_REASONS: Readonly<Record<(typeof EXCESSES)[number], string>> = {
  roundedToGrid: ": rounded to the grid",
  leastPosition: ": the rest was below the minimum position",
};

/**
 * A difference in words: `0.2 lots less than its size: no more was open`. Null when the fill has its order's size.
 * @rule D12.shortfall
 */
export function differenceText({
  shortfall,
  excess,
}: Pick<FillItem["data"], "shortfall" | "excess">): string | null {
  if (shortfall !== null) {
    const { code, quantity } = shortfall;
    return `${lotsText(quantity)} less than its size${SHORTFALL_REASONS[code]}`;
  }
  if (excess === null) return null;
  const { code, quantity } = excess;
  return `${lotsText(quantity)} more than its size${EXCESS_REASONS[code]}`;
}

/** The maximum number of significant digits of a shown quantity. */
const DIGITS_MAX = 12;

function lotsText(count: number): string {
  const digits = count.toLocaleString("en-US", {
    maximumSignificantDigits: DIGITS_MAX,
    useGrouping: false,
  });
  return count === 1 ? "1 lot" : `${digits} lots`;
}
