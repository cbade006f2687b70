import type { SourceWarning } from "@propgate/market";

/** A warning of a price source as one line, for people. */
export function warningText({ source: from, reason, count, first }: SourceWarning): string {
  return [`${from}: ${count} ${reason}`, first === null ? "" : ` (first: ${first})`].join("");
}
