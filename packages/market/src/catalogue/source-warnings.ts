import type { Log } from "@propgate/base";
import type { PriceSource, SourceWarning } from "../prices/port.ts";

/**
 * Makes a function to call regularly. It logs each kind of warning of a source when it first appears. The kinds in
 * `before` count as logged. The command `operator health` shows how many warnings of each kind there are.
 */
export function createSourceWarningLog(
  source: Pick<PriceSource, "warnings">,
  log: Log,
  before: readonly SourceWarning[],
): () => void {
  const reported = new Set(before.map(kindOf));
  return () => {
    for (const warning of source.warnings()) {
      const kind = kindOf(warning);
      if (reported.has(kind)) continue;
      reported.add(kind);
      const { source: from, reason, first } = warning;
      log.warn({ source: from, reason, first }, "a price source has data that it cannot use");
    }
  };
}

function kindOf({ source, reason }: SourceWarning): string {
  return `${source}\n${reason}`;
}
