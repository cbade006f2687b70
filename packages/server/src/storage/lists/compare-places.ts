import type { ListPlace, ListQuery, PlaceValue } from "./list-query.ts";

/**
 * Compares two positions in a list: nulls come last in both directions. Positions with the same value are sorted by the
 * fields that break ties, ascending.
 */
export function comparePlacesBy({
  isDescending,
}: ListQuery["sort"]): (one: ListPlace, other: ListPlace) => number {
  return ([one = null, ...ties], [other = null, ...otherTies]) => {
    const sorted = compareSorted(one, other, isDescending);
    if (sorted !== 0) return sorted;
    const different = ties.findIndex((tie, index) => tie !== otherTies[index]);
    return different === -1 ? 0 : compareValues(ties[different], otherTies[different]);
  };
}

function compareSorted(one: PlaceValue, other: PlaceValue, isDescending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const order = compareValues(one, other);
  return isDescending ? -order : order;
}

/**
 * Surrogates, the two code units of a character beyond U+FFFF. Only texts with them sort differently by code unit than
 * by code point.
 */
const SURROGATE = /[\ud800-\udfff]/;

/** Compares texts by code point, as the collation `C` does. False comes before true. */
function compareValues(one: PlaceValue | undefined, other: PlaceValue | undefined): number {
  if (typeof one === "string" && typeof other === "string") {
    if (SURROGATE.test(one) || SURROGATE.test(other)) {
      return Buffer.compare(Buffer.from(one), Buffer.from(other));
    }
    if (one === other) return 0;
    return one < other ? -1 : 1;
  }
  return Number(one) - Number(other);
}
