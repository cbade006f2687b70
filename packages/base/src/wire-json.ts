/** The JSON of every interface. Its numbers have no noise of binary arithmetic. */

import { shownNumber } from "@propgate/contract";

/**
 * Returns JSON with numbers as people write them. A number with at most six decimals is kept, such as every amount of
 * money and every size. A price, average or ratio with more decimals is rounded to 12 significant digits.
 * @rule D10.noNoise
 */
export function wireJson(value: unknown): string {
  return JSON.stringify(withoutNoise(value));
}

/** The same value, or a copy when a number in it has noise. */
function withoutNoise(value: unknown): unknown {
  if (typeof value === "number") return shownNumber(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutNoise);
    return items.every((item, index) => Object.is(item, value[index])) ? value : items;
  }
  let copy: Record<string, unknown> | null = null;
  for (const [name, before] of Object.entries(value)) {
    const after = withoutNoise(before);
    if (Object.is(after, before)) continue;
    copy ??= { ...value };
    copy[name] = after;
  }
  return copy ?? value;
}
