/** Every value of each name, in the order sent. */
export type QueryParameters = ReadonlyMap<string, readonly string[]>;

/** Path and query of a raw request target; `query` is what stands behind the first `?`. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf("?");
  return mark < 0
    ? { path: target, query: "" }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/**
 * Reads a raw query. `+` is a space; a malformed percent escape stays as it stands, so it equals
 * nothing that is asked for. Repeated names keep all their values: a caller that checks one of them
 * must check every one. Names nobody asks for are thereby ignored. @rule D2.query
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

/** True when no `accountId` of the query names another account than the bound one. @rule D2.10 */
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
