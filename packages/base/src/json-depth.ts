/**
 * Maximum depth of a JSON value: more than any valid document needs, and far below the depth that overflows the stack.
 */
export const JSON_DEPTH_MAX = 64;

/**
 * True for a parsed value that is nested deeper than `JSON_DEPTH_MAX`. `JSON.parse` accepts any depth, but recursive
 * code that reads the value would overflow the stack, and the request would get a 500.
 */
export function isNestedTooDeep(value: unknown): boolean {
  let level: readonly object[] = childObjects([value]);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > JSON_DEPTH_MAX) return true;
    level = level.flatMap((one) => childObjects(Object.values(one)));
  }
  return false;
}

function childObjects(values: readonly unknown[]): readonly object[] {
  return values.filter((one) => typeof one === "object" && one !== null);
}
