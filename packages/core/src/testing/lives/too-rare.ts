import { DEPTH } from "../../../../../test/environment/depth.ts";

/**
 * Names the things that happened too seldom. The minimums are those of depth 1. A lower depth expects half of its
 * proportional count, because small samples vary more; so it may not notice the rarest cases.
 */
export function tooRare(
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
