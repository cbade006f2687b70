/**
 * The path when it begins with a slash and leads to the same origin; null for any other value. The path is resolved as
 * a browser resolves it, because browsers drop tabs and line breaks and read a backslash as a slash.
 */
export function ownPath(given: unknown, origin: string): string | null {
  if (typeof given !== "string" || !given.startsWith("/")) return null;
  return URL.parse(given, origin)?.origin === origin ? given : null;
}
