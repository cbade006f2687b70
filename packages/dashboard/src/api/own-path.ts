/**
 * The path when it belongs to these pages; null when it leads elsewhere. The path is resolved as a browser does,
 * because browsers drop tabs and line breaks and read a backslash as a slash.
 */
export function ownPath(given: unknown, origin: string): string | null {
  if (typeof given !== "string" || !given.startsWith("/")) return null;
  return URL.parse(given, origin)?.origin === origin ? given : null;
}
