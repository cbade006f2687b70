/** The parameters of a query: every value of each name, in the order sent. */
export type QueryParameters = ReadonlyMap<string, readonly string[]>;

/** Path and query of a raw request target; `query` is everything after the first `?`. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf("?");
  return mark < 0
    ? { path: target, query: "" }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/**
 * Reads a raw query into its parameters. Parameters that the endpoint does not know are kept and not read, so they are
 * ignored. `+` is a space. A malformed percent escape stays as sent, so the name or value matches none that a caller
 * expects. A repeated name keeps all its values, and a caller must check every one. @rule D2.query decides
 */
export function parseQuery(query: string): QueryParameters {
  const parameters = new Map<string, string[]>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const mark = pair.indexOf("=");
    const name = decode(mark < 0 ? pair : pair.slice(0, mark));
    const value = mark < 0 ? "" : decode(pair.slice(mark + 1));
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
  }
  return parameters;
}

/** True unless an `accountId` in the query names an account other than the key's. @rule D2.10 */
export function queryFitsAccount(parameters: QueryParameters, boundAccountId: string): boolean {
  const given = parameters.get("accountId") ?? [];
  return given.every((one) => one.toLowerCase() === boundAccountId.toLowerCase());
}

function decode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
