import type { ListOf } from "@propgate/contract";
import { shownNumber } from "@propgate/contract";
import { columnOf } from "./list-columns.ts";
import type { ListSource } from "./list-query.ts";

const NO_ROWS: ListSource = { rows: "", databases: "first" };

/**
 * A list source of given items that are in no table. The database filters and sorts them, as it does the rows of
 * tables.
 */
export function inMemorySource<Item>(list: ListOf<Item>, items: readonly Item[]): ListSource {
  const columns = list.fields.map(({ name }) => {
    const column = columnOf(list, NO_ROWS, name);
    return `${column.name} ${column.type}`;
  });
  return {
    rows: `select * from jsonb_to_recordset($1::jsonb) as given (${columns.join(", ")})`,
    parameters: [JSON.stringify(items, storable)],
    databases: "first",
  };
}

/**
 * The database rejects NUL and lone surrogates, so NUL is removed and a lone surrogate becomes U+FFFD. Numbers are
 * compared as they are shown.
 */
function storable(_name: string, value: unknown): unknown {
  if (typeof value === "number") return shownNumber(value);
  return typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value;
}
