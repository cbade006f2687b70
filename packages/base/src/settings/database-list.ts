import { databaseAddressProblem, parseDatabaseAddress } from "./database-address.ts";

/** Maximum number of databases of one installation. */
const DATABASES_MAX = 64;
const DEFAULT_PORT = "5432";

/**
 * Checks the URLs of several databases, separated by commas: at most `DATABASES_MAX`, each a usable address of another
 * database. They may contain passwords, so no problem repeats a part of them.
 */
export function parseDatabaseUrls(
  list: string,
): { readonly value: string } | { readonly problem: string } {
  const urls = splitDatabaseUrls(list);
  if (urls.length > DATABASES_MAX) return { problem: `must have ${DATABASES_MAX} URLs at most` };
  const places = new Map<string, number>();
  for (const [index, url] of urls.entries()) {
    if (url === "") return { problem: `has no URL at position ${index}` };
    const problem = databaseAddressProblem(url);
    if (problem !== null) {
      return { problem: `${problem}, at position ${index}; write a comma of a password as %2C` };
    }
    const before = places.get(databaseIdentity(url));
    if (before !== undefined) {
      return { problem: `names the same database at the positions ${before} and ${index}` };
    }
    places.set(databaseIdentity(url), index);
  }
  return { value: list };
}

/** The URLs of the setting `PROPGATE_DATABASE_URLS`, in its order. */
export function splitDatabaseUrls(list: string): readonly string[] {
  return list.split(",").map((url) => url.trim());
}

/**
 * Host, port and database of a URL. Two URLs of the same database have the same identity, however they are written. A
 * URL that names no database means the one that is named like its user, as for libpq. A text that is no URL is its own
 * identity.
 */
function databaseIdentity(text: string): string {
  const url = parseDatabaseAddress(text);
  if (url === null) return text;
  const port = url.port === "" ? DEFAULT_PORT : url.port;
  const user = decodeURIComponent(url.username);
  const database = decodeURIComponent(url.pathname.slice(1));
  return JSON.stringify([url.hostname.toLowerCase(), port, database === "" ? user : database]);
}
