/**
 * The one text of a JSON value (RFC 8785): keys in the order of their UTF-16 units, numbers and texts as JavaScript
 * writes them, no space.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(byName))
      : inner,
  );
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
