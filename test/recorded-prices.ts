import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./source-tree.ts";

/** The folder of recorded prices, from `PROPGATE_MARKET_DIR` or beside the checkout; null when it does not exist. */
export function recordedPricesFolder(): string | null {
  const folder = process.env.PROPGATE_MARKET_DIR ?? join(ROOT, "..", "shared", "market");
  return existsSync(folder) ? folder : null;
}

/** Reports missing recorded prices on standard error, so that a skipped test is not taken for a passed one. */
export function sayPricesAreMissing(what: string): void {
  process.stderr.write(
    `\nSKIPPED: ${what} needs recorded prices; set PROPGATE_MARKET_DIR to their folder\n`,
  );
}
