/** The depth of `npm run check`. */
export const CHECK_DEPTH = 0.2;

/**
 * The factor by which the tests multiply their number of random cases, from `PROPGATE_DEPTH`. It is 1 in `npm run
 * check:long`; without the variable it is that of `npm run check`. Only this file reads `PROPGATE_DEPTH` and
 * `PROPGATE_SEED`.
 */
export const DEPTH = positive("PROPGATE_DEPTH", CHECK_DEPTH);

/**
 * The seed of the random cases of a run, from `PROPGATE_SEED`. It is fixed by default, so that a run that failed fails
 * again.
 */
export const SEED = positive("PROPGATE_SEED", 12);

/** The number of cases at the present depth: `count` at depth 1, in proportion at other depths, but at least `min`. */
export function scaledCount(count: number, min = 1): number {
  return Math.max(min, Math.round(count * DEPTH));
}

/**
 * The number of cases at the present depth: `count` at depth 1 and only `few` at the depth of `npm run check`, for
 * cases of which a fifth would be too slow. At other depths the number is `count` times a power of the depth, with one
 * exponent for all depths.
 */
export function deepenedCount(count: number, few: number): number {
  const power = Math.log(count / few) / Math.log(1 / CHECK_DEPTH);
  return Math.max(1, Math.round(count * DEPTH ** power));
}

/**
 * The settings of a property that tries `count` random cases at depth 1. A lower depth tries the first of the same
 * cases.
 */
export function propertySettings(
  count: number,
  min?: number,
): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: scaledCount(count, min), seed: SEED };
}

function positive(name: "PROPGATE_DEPTH" | "PROPGATE_SEED", fallback: number): number {
  const value = Number(process.env[name] ?? fallback);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new Error(`${name} must be a number above 0`);
}
