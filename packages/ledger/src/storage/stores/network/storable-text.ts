/** The SQL of the database's clock in whole milliseconds. It also advances within a long transaction. */
export const DATABASE_NOW_MS = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

/** A text of the network in the form that PostgreSQL can store: a NUL character becomes U+FFFD. */
export function toStorableText(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}
