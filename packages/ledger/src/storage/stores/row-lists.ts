/** A column of a row list: its name and type in SQL, and its value in a row. */
export type ListColumn<Row> = readonly [name: string, type: string, value: (row: Row) => unknown];

export type ListColumns<Row> = readonly ListColumn<Row>[];

/** A statement that takes whole lists of rows, one array for each column. */
export interface ListStatement<Rows> {
  readonly text: string;
  /** The parameters for these rows, in the order that `text` numbers them. */
  parameters(rows: { readonly [Name in keyof Rows]: readonly Rows[Name][] }): readonly unknown[];
}

/** The SQL source of each list, such as `unnest($3::uuid[], $4::bigint[])`. */
export type ListSources<Rows> = { readonly [Name in keyof Rows]: string };

/**
 * Builds a statement over row lists and numbers its parameters, so that a new column renumbers the others. Numbers
 * below `first` belong to the caller's own parameters.
 */
export function listStatement<Rows extends object>(
  lists: { readonly [Name in keyof Rows]: ListColumns<Rows[Name]> },
  write: (from: ListSources<Rows>) => string,
  first = 1,
): ListStatement<Rows> {
  const names = namesOf(lists);
  let next = first;
  const unnest = (columns: ListColumns<never>): string =>
    `unnest(${columns.map(([, type]) => `$${next++}::${type}[]`).join(", ")})`;
  const from = names.map((name) => [name, unnest(lists[name])] as const);
  return {
    text: write(Object.fromEntries(from) as ListSources<Rows>),
    parameters(rows) {
      const arrays: (readonly unknown[])[] = [];
      for (const name of names) {
        const ofList: readonly Rows[typeof name][] = rows[name];
        // Lists without rows share one array, because most lists of a statement have none.
        for (const [, , value] of lists[name])
          arrays.push(ofList.length === 0 ? NO_ROWS : ofList.map(value));
      }
      return arrays;
    },
  };
}

const NO_ROWS: readonly unknown[] = [];

/** The names of the columns in the order of the list, such as `account_id, seq`. */
export function columnNames(columns: ListColumns<never>): string {
  return columns.map(([name]) => name).join(", ");
}

function namesOf<Row extends object>(of: Row): readonly (keyof Row)[] {
  return Object.keys(of) as (keyof Row)[];
}
