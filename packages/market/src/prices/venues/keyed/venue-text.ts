import { createRedactor } from "@propgate/contract";

const LENGTH_MAX = 120;

/**
 * A venue's own words for a reason, as health and log show them: printable, short, and without this service's keys,
 * which a venue may repeat. Empty for a value that is not a text.
 */
export function venueText(text: unknown, secrets: readonly string[]): string {
  if (typeof text !== "string") return "";
  const printable = createRedactor(secrets)(text).replaceAll(/[^\x20-\x7e]+/g, " ");
  return printable.slice(0, LENGTH_MAX).trim();
}
