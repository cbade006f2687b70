import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./source-tree.ts";

/** The folder of recorded prices beside some checkouts; null when it is missing. */
export function recordedPrices(): string | null {
  const folder = process.env.PROPGATE_MARKET_DIR ?? join(ROOT, "..", "shared", "market");
  return existsSync(folder) ? folder : null;
}

/**
 * Reports missing real prices on standard error, so a skipped test is not taken for a passed one.
 */
export function sayPricesAreMissing(what: string): void {
  process.stderr.write(
    `\nSKIPPED: ${what} needs recorded prices; set PROPGATE_MARKET_DIR to their folder\n`,
  );
}
