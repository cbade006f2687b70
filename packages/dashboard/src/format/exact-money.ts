import { fixedText, UNKNOWN } from "./numbers.ts";

const CENTS = 2;
const MOST = 6;

/**
 * How many decimals amounts need that are shown together, so that a reader who adds them up gets the sum that is shown:
 * at least two, at most six.
 */
export function sharedDigits(amounts: readonly (number | null | undefined)[]): number {
  const needed = amounts.map((amount) => digitsOf(amount ?? 0));
  return Math.max(CENTS, ...needed);
}

function digitsOf(usd: number): number {
  const micro = Math.round(usd * 1_000_000);
  for (let digits = CENTS; digits < MOST; digits += 1) {
    if (micro % 10 ** (MOST - digits) === 0) return digits;
  }
  return MOST;
}

/**
 * How to show amounts with this many decimals: `as` writes one, and `faint` is the number of decimals beyond the cent,
 * which are shown lighter.
 */
export function exactMoney(digits: number): {
  readonly as: (usd: number | null | undefined) => string;
  readonly faint: number;
} {
  return {
    as: (usd) => (usd === null || usd === undefined ? UNKNOWN : fixedText(usd, digits)),
    faint: Math.max(0, digits - CENTS),
  };
}
