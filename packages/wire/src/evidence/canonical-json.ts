/**
 * The canonical text of a JSON value (RFC 8785): keys in the order of their UTF-16 units, numbers and texts as
 * JavaScript writes them, no space. It is written key by key, because JavaScript moves keys such as `10` before the
 * others of an object.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const texts = Object.entries(value)
    .toSorted(compareFieldNames)
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`);
  return `{${texts.join(",")}}`;
}

/** Compares two fields in the order of a canonical text. */
export function compareFieldNames(
  [one]: readonly [string, unknown],
  [other]: readonly [string, unknown],
): number {
  return one < other ? -1 : 1;
}
