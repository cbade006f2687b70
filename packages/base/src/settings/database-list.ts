import { databaseAddress, databaseAddressProblem } from "./database-address.ts";

/** Max databases of one installation. */
const DATABASES_MAX = 64;
const DEFAULT_PORT = "5432";

/**
 * The URLs of several databases, comma-separated. The text has passwords, so no problem repeats a part of it.
 */
export function databaseUrls(
  list: string,
): { readonly value: string } | { readonly problem: string } {
  const urls = listedUrls(list);
  if (urls.length > DATABASES_MAX) return { problem: `must have ${DATABASES_MAX} URLs at most` };
  const places = new Map<string, number>();
  for (const [index, url] of urls.entries()) {
    if (url === "") return { problem: `has no URL at position ${index}` };
    const problem = databaseAddressProblem(url);
    if (problem !== null) {
      return { problem: `${problem}, at position ${index}; write a comma of a password as %2C` };
    }
    const before = places.get(placeOf(url));
    if (before !== undefined) {
      return { problem: `names the same database at the positions ${before} and ${index}` };
    }
    places.set(placeOf(url), index);
  }
  return { value: list };
}

/** The URLs of the setting, the first database first. */
export function listedUrls(list: string): readonly string[] {
  return list.split(",").map((url) => url.trim());
}

/** Host, port and database, which also differently written URLs of one database have in common. */
function placeOf(text: string): string {
  const url = databaseAddress(text);
  if (url === null) return text;
  const port = url.port === "" ? DEFAULT_PORT : url.port;
  const user = decodeURIComponent(url.username);
  const database = decodeURIComponent(url.pathname.slice(1));
  return JSON.stringify([url.hostname.toLowerCase(), port, database === "" ? user : database]);
}
