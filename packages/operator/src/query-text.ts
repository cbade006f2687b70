/**
 * The value of a query parameter. A list selects the items with any of its values; null selects the items whose value
 * is null.
 */
export type QueryValue = string | number | boolean | null | readonly (string | number | boolean)[];

/** `?` and the parameters that are not undefined; empty when there are none. */
export function queryText(query: object): string {
  const given = Object.entries(query).flatMap(([name, value]: readonly [string, unknown]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`],
  );
  return given.length === 0 ? "" : `?${given.join("&")}`;
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(",") : String(value);
}
