import { redactor } from "@propgate/contract";

const LENGTH_MAX = 120;

/**
 * A venue's own words for a reason: printable, short, and without our keys, which a venue may repeat. Reasons are shown
 * in health and log.
 */
export function venueText(text: unknown, secrets: readonly string[]): string {
  if (typeof text !== "string") return "";
  const printable = redactor(secrets)(text).replaceAll(/[^\x20-\x7e]+/g, " ");
  return printable.slice(0, LENGTH_MAX).trim();
}
