/** The database's clock in whole milliseconds, also within a long transaction. */
export const DATABASE_NOW_MS = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

/** A text of the network as PostgreSQL can store it: a NUL character becomes U+FFFD. */
export function storedText(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}
