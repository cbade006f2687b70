/** One condition of a list's query. An item matches the query when all conditions hold. */
export type ListFilter =
  /** The field has one of these ids or words; a field of kind `text` is compared with one whole text. */
  | { readonly field: string; readonly anyOf: readonly string[] }
  | { readonly field: string; readonly isKnown: boolean }
  /** Inclusive bounds. An item without the value is in no range. */
  | { readonly field: string; readonly min: number }
  | { readonly field: string; readonly max: number };

/** The items of a list that a caller needs, their order and their fields. */
export interface ListQuery {
  readonly filters: readonly ListFilter[];
  /** A part of a searched name, or the beginning of a searched id, in any letter case; null for every item. */
  readonly text: string | null;
  readonly sort: { readonly field: string; readonly isDescending: boolean };
  /** The fields to read, in this order. */
  readonly fields: readonly string[];
}

/** The query of one page of a list. */
export interface ListPageQuery extends ListQuery {
  /** The position after which the page begins; null for the first page. */
  readonly after: ListPlace | null;
  readonly limit: number;
}

/**
 * The position of an item in its list: the value of the field that the list is sorted by, then the values of the fields
 * that break ties.
 */
export type ListPlace = readonly PlaceValue[];
/** A value of a position: of the field that the list is sorted by, or of a field that breaks ties. */
export type PlaceValue = string | number | boolean | null;

/** The source of a list's items. */
export interface ListSource {
  /** A select whose columns have the names of the item's fields and of the fields that break the list's ties. */
  readonly rows: string;
  /** Common table expressions that `rows` reads: `board as materialized (select …)`. */
  readonly withTables?: string;
  /** The parameters of `rows` and `withTables`: `$1`, `$2` and so on. */
  readonly parameters?: readonly unknown[];
  /** Fields whose column is a uuid. All others are `text`, `text[]`, `boolean`, `bigint` for times, else numeric. */
  readonly uuids?: readonly string[];
  /** The fields `amounts`, in US dollars, are summed for each word of the field `by`. */
  readonly sums?: { readonly by: string; readonly amounts: readonly string[] };
  /** The databases that have the rows: the first one alone, or all. */
  readonly databases: "first" | "all";
}

/** The count and the sums of all items that have one word in the field `sums.by` of the source. */
export interface ListSum {
  readonly word: string;
  readonly count: number;
  /** The sums in micro dollars, in the order of `sums.amounts` of the source. */
  readonly amounts: readonly number[];
}

/** A page of a list, with the count and the sums of all its pages. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The position of the page's last item; null on the last page. */
  readonly next: ListPlace | null;
  /** The number of items of all pages; null where the list does not count. */
  readonly total: number | null;
  /**
   * One entry for each word that an item of any page has in the field `sums.by` of the source; empty when the source
   * has no `sums`.
   */
  readonly sums: readonly ListSum[];
}
