/** A parameter's value. A list is any of its items; null is the filter `null`: the field is not known. */
export type QueryValue = string | number | boolean | null | readonly (string | number | boolean)[];

/** `?` and the given parameters; empty without any. An undefined parameter is not sent. */
export function queryText(query: object): string {
  const given = Object.entries(query).flatMap(([name, value]: readonly [string, unknown]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`],
  );
  return given.length === 0 ? "" : `?${given.join("&")}`;
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(",") : String(value);
}
