/** The scheme and the host of an absolute target (RFC 9112, section 3.2.2). */
const AUTHORITY = /^https?:\/\/[^/?#]+/i;

/** The path of a request target, without scheme, host, query and fragment. Its escapes stay. */
export function targetPath(target: string): string {
  return /^[^?#]*/.exec(target.replace(AUTHORITY, ""))?.[0] ?? "";
}

/** The path by which the router finds a route: escapes are decoded, except those of reserved characters. */
export function routedPath(target: string): string {
  const path = targetPath(target);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
