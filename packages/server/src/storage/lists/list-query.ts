/** One condition of a list's query; all of them hold for its items. */
export type ListFilter =
  /** Any of these ids or words, or exactly this one text. */
  | { readonly field: string; readonly anyOf: readonly string[] }
  | { readonly field: string; readonly isKnown: boolean }
  /** Inclusive; a null is in no range. */
  | { readonly field: string; readonly min: number }
  | { readonly field: string; readonly max: number };

/** The items of a list that are wanted, and their order. */
export interface ListQuery {
  readonly filters: readonly ListFilter[];
  /** Part of a name, or the beginning of an id, in any case; null for every item. */
  readonly text: string | null;
  readonly sort: { readonly field: string; readonly isDescending: boolean };
  /** The fields to read, in this order. */
  readonly fields: readonly string[];
}

export interface ListPageQuery extends ListQuery {
  /** The page begins after it. */
  readonly after: ListPlace | null;
  readonly limit: number;
}

/** The place of an item in its list: the field that the list is sorted by, then each of the list's ties. */
export type ListPlace = readonly PlaceValue[];
export type PlaceValue = string | number | boolean | null;

/** Where the items of a list come from. */
export interface ListSource {
  /** A select whose columns have the names of the item's fields and of the list's ties. */
  readonly rows: string;
  /** Common table expressions that `rows` reads: `board as materialized (select …)`. */
  readonly withTables?: string;
  /** The parameters of `rows` and `withTables`: `$1`, `$2` and so on. */
  readonly parameters?: readonly unknown[];
  /** Fields whose column is a uuid. All others are `text`, `text[]`, `boolean`, `bigint` for times, else numeric. */
  readonly uuids?: readonly string[];
  /** The field by which all amounts are summed, and these: US dollars. */
  readonly sums?: { readonly by: string; readonly amounts: readonly string[] };
  /** The databases that have the rows. */
  readonly of: "first" | "all";
}

/** The sum of the items with this word. */
export interface ListSum {
  readonly word: string;
  readonly count: number;
  /** In the order of the source, in micro dollars. */
  readonly amounts: readonly number[];
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The place of the page's last item; null on the last page. */
  readonly next: ListPlace | null;
  /** The number of items of all pages; null where the list does not count. */
  readonly total: number | null;
  /** One for each word that an item has; empty without `sums`. */
  readonly sums: readonly ListSum[];
}
