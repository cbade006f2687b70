import { count, list, nullable, object, type Schema, string } from "../schema.ts";

/**
 * One page of a list. `next` is the `after` of the next page; null on the last one. `total` counts the items of all
 * pages, where the list counts them.
 */
export interface OperatorPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly total: number | null;
}

/** The schema of one page of a list of these items. */
export function operatorPageSchema<Item>(
  item: Schema<Item, unknown>,
): Schema<OperatorPage<Item>, unknown> {
  return object("One page of a list.", pageFields(item));
}

/** The fields of a page, for an answer that has other fields too. */
export function pageFields<Item>(item: Schema<Item, unknown>) {
  return {
    items: list(item, "The items of this page. With `fields`, each item has only these fields."),
    next: nullable(string("Pass it as `after` to read the next page; null on the last page.")),
    total: nullable(count("Number of items on all pages; null when the list does not count them.")),
  };
}

/** Body of a call that takes no fields. An empty body counts as this one. */
export const NO_FIELDS = object("An object without fields.", {});
