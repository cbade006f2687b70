import { fixedText, UNKNOWN } from "./numbers.ts";

const CENT_DECIMALS = 2;
const DECIMALS_MAX = 6;

/**
 * The number of decimals for amounts that are shown together: at least two, at most six. With this number, a reader who
 * adds up the amounts gets exactly the sum that is shown.
 */
export function sharedDigits(amounts: readonly (number | null | undefined)[]): number {
  const needed = amounts.map((amount) => digitsOf(amount ?? 0));
  return Math.max(CENT_DECIMALS, ...needed);
}

function digitsOf(usd: number): number {
  const micro = Math.round(usd * 1_000_000);
  for (let digits = CENT_DECIMALS; digits < DECIMALS_MAX; digits += 1) {
    if (micro % 10 ** (DECIMALS_MAX - digits) === 0) return digits;
  }
  return DECIMALS_MAX;
}

/**
 * How to show amounts with this many decimals. `as` formats an amount. `faint` is the number of decimals beyond the
 * cent, which are shown in a lighter colour.
 */
export function exactMoney(digits: number): {
  readonly as: (usd: number | null | undefined) => string;
  readonly faint: number;
} {
  return {
    as: (usd) => (usd === null || usd === undefined ? UNKNOWN : fixedText(usd, digits)),
    faint: Math.max(0, digits - CENT_DECIMALS),
  };
}
