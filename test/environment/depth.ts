/** The depth of `npm run check`. */
export const CHECK_DEPTH = 0.2;

/**
 * How many random cases the tests try, as a factor: 1 is the depth of `npm run check:long`, and without the variable
 * the tests run at the depth of `npm run check`. This file alone reads the two variables.
 */
export const DEPTH = positive("PROPGATE_DEPTH", CHECK_DEPTH);

/** The seed of the random cases of a run. Fixed by default, so that a run that failed fails again. */
export const SEED = positive("PROPGATE_SEED", 12);

/** This many at depth 1, and accordingly fewer or more at another depth, but at least `min`. */
export function scaled(count: number, min = 1): number {
  return Math.max(min, Math.round(count * DEPTH));
}

/**
 * This many at depth 1, and only `few` at the depth of `npm run check`, for cases that are too slow for a fifth of
 * them. Between and beyond the two depths it grows by the same power of the depth.
 */
export function deepened(count: number, few: number): number {
  const power = Math.log(count / few) / Math.log(1 / CHECK_DEPTH);
  return Math.max(1, Math.round(count * DEPTH ** power));
}

/** The settings of a property that tries this many random cases at depth 1. A low depth tries the first of them. */
export function cases(
  count: number,
  min?: number,
): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: scaled(count, min), seed: SEED };
}

function positive(name: "PROPGATE_DEPTH" | "PROPGATE_SEED", fallback: number): number {
  const value = Number(process.env[name] ?? fallback);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new Error(`${name} must be a number above 0`);
}
