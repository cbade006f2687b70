import { list, nullable, object, type Schema, string } from "../schema.ts";

/** One page of a list. `next` is the `after` of the next page; null on the last one. */
export interface OperatorPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

export function page<Item>(item: Schema<Item, unknown>): Schema<OperatorPage<Item>, unknown> {
  return object("One page of a list.", {
    items: list(item, "The items of this page."),
    next: nullable(string("Send it as `after` to read the next page; null on the last page.")),
  });
}

/** A list that is never long enough to need pages. */
export function items<Item>(
  item: Schema<Item, unknown>,
): Schema<{ readonly items: readonly Item[] }, unknown> {
  return object("A whole list.", { items: list(item, "All items.") });
}

/** Body of a call that takes no fields; an empty body counts as this. */
export const NO_FIELDS = object("No fields.", {});
