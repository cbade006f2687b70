import { type ListDescription, shownNumber } from "@propgate/contract";
import type { ListFilter, ListPlace, ListQuery, PlaceValue } from "./list-query.ts";
import { placeFields } from "./list-statement.ts";

/** An item, or the part of it that a query needs. */
export type ListedItem = Readonly<Record<string, unknown>>;

/** The names of the fields that decide whether an item matches a query, and at which position. */
export function decidingFields(list: ListDescription, query: ListQuery): ReadonlySet<string> {
  const searched = query.text === null ? [] : [...list.searchedParts, ...list.searchedBeginnings];
  return new Set([
    ...query.filters.map(({ field }) => field),
    ...searched,
    ...placeFields(list, query.sort),
  ]);
}

/**
 * Returns a test of whether an item matches the query, by the same rules as the SQL of a list. It is for flat items
 * that are not in a table, and are too many to be sent to the database. Fields that are lists of words are not
 * supported.
 */
export function createItemFilter(
  list: ListDescription,
  query: ListQuery,
): (item: ListedItem) => boolean {
  const conditions = query.filters.map(conditionOf);
  if (query.text !== null) conditions.push(searchOf(list, query.text));
  return (item) => conditions.every((holds) => holds(item));
}

type Condition = (item: ListedItem) => boolean;

function conditionOf(filter: ListFilter): Condition {
  const { field } = filter;
  if ("isKnown" in filter) return (item) => ((item[field] ?? null) !== null) === filter.isKnown;
  if ("min" in filter) return (item) => distanceFromBound(item[field], filter.min) >= 0;
  if ("max" in filter) return (item) => distanceFromBound(item[field], filter.max) <= 0;
  const values = new Set(filter.anyOf);
  return (item) => (item[field] ?? null) !== null && values.has(String(item[field]));
}

/** The greatest distance from a bound that rounding to the shown digits can bridge, as a share of the bound. */
const ROUNDED = 1e-11;

/**
 * The value minus the bound; NaN for a value that is not a number. Near the bound, the value is compared as it is
 * shown, because people search for what they saw.
 */
function distanceFromBound(value: unknown, bound: number): number {
  if (typeof value !== "number") return Number.NaN;
  const distance = value - bound;
  // Rounding is slow, and a query compares all accounts, so only values near the bound are rounded.
  return Math.abs(distance) <= Math.abs(bound) * ROUNDED ? shownNumber(value) - bound : distance;
}

function searchOf(list: ListDescription, text: string): Condition {
  const wanted = text.toLowerCase();
  const lower = (value: unknown): string | null =>
    typeof value === "string" ? value.toLowerCase() : null;
  return (item) =>
    list.searchedParts.some((name) => lower(item[name])?.includes(wanted) === true) ||
    list.searchedBeginnings.some((name) => lower(item[name])?.startsWith(wanted) === true);
}

/** Returns a function that gives the position of an item in the query's order. */
export function createItemPlacer(
  list: ListDescription,
  query: ListQuery,
): (item: ListedItem) => ListPlace {
  const names = placeFields(list, query.sort);
  return (item) => names.map((name) => placeValue(item[name]));
}

function placeValue(value: unknown): PlaceValue {
  const isPlaced =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlaced ? value : null;
}
