/** Deeper than any document that is read here; far from where a walk through one could overflow. */
export const JSON_DEPTH_MAX = 64;

/**
 * True for a parsed value that is nested deeper than that. `JSON.parse` takes any depth, but what
 * looks at the value afterwards would overflow the stack, and that would count as a fault of ours.
 */
export function isNestedTooDeep(value: unknown): boolean {
  let level: readonly object[] = nestedIn([value]);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > JSON_DEPTH_MAX) return true;
    level = level.flatMap((one) => nestedIn(Object.values(one)));
  }
  return false;
}

function nestedIn(values: readonly unknown[]): readonly object[] {
  return values.filter((one) => typeof one === "object" && one !== null);
}
