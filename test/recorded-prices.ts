import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./source-tree.ts";

/** The folder of recorded prices that stands beside some checkouts; null where it is not. */
export function recordedPrices(): string | null {
  const folder = process.env.PROPGATE_MARKET_DIR ?? join(ROOT, "..", "shared", "market");
  return existsSync(folder) ? folder : null;
}

/** Says loudly that real prices are missing, so that a skipped test is never taken for a passed one. */
export function sayPricesAreMissing(what: string): void {
  process.stderr.write(
    `\nSKIPPED: ${what} needs recorded prices; set PROPGATE_MARKET_DIR to their folder\n`,
  );
}
