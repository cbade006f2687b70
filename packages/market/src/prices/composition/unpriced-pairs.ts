import type { SourceWarning } from "../port.ts";
import { isTraded, type PriceDesk } from "./price-desk.ts";

/** The maximum number of pairs that the warning at a start names. The operator's list has all of them. */
const NAMED_PAIRS_MAX = 8;

/**
 * A warning with the pairs that no source can price; empty when there are none. Pairs whose first quote has not arrived
 * yet do not count, nor do blocked pairs that no account holds.
 */
export function unpricedPairWarnings(desk: PriceDesk): readonly SourceWarning[] {
  const pairs = desk.list().filter((pair) => pair.state === "unpriced" && isTraded(pair));
  const [first] = pairs;
  if (first === undefined) return [];
  const shown = pairs.slice(0, NAMED_PAIRS_MAX).map(({ instrument }) => instrument.id);
  const more = pairs.length - shown.length;
  const names = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const reason = `pairs without a source (${names}): ${first.problem ?? ""}`;
  return [{ source: "prices", reason, count: pairs.length, first: null }];
}
