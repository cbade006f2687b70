import { DEPTH } from "../../../../../test/environment/depth.ts";

/**
 * Returns the names of the cases that have happened too seldom. The minimums apply at depth 1. At a lower depth half of
 * the proportional minimum is required, because small samples vary more; so the rarest cases may be missed there.
 */
export function findTooRareCases(
  minimums: Readonly<Record<string, number>>,
  counts: ReadonlyMap<string, number>,
): readonly string[] {
  const part = DEPTH < 1 ? DEPTH / 2 : DEPTH;
  return Object.entries(minimums)
    .map(([name, full]) => ({
      name,
      minimum: Math.round(full * part),
      count: counts.get(name) ?? 0,
    }))
    .filter(({ count, minimum }) => count < minimum)
    .map(({ name, minimum, count }) => `${name}: ${count} of ${minimum}`);
}
