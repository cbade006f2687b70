import { Fragment, type ReactNode } from "react";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** True for a column that is aligned to the right, such as figures. */
  readonly right?: boolean;
  /**
   * How the column is shown on a phone, where each row is a card. `title` is at the top of the card, `figure` is one of
   * its main figures. When absent, a phone does not show the column.
   */
  readonly phone?: "title" | "figure";
}

interface TableProps<Row> {
  /** The name of the table, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The details below a row; null when they are closed. */
  readonly detail?: (row: Row) => ReactNode | null;
  /** Shown in place of a table without rows. */
  readonly empty: ReactNode;
}

/** A table, or `empty` when it has no rows. On a phone each row is a card. */
export function Table<Row>(props: TableProps<Row>) {
  if (props.rows.length === 0) return <>{props.empty}</>;
  return (
    <>
      <div className="max-md:hidden">
        <Grid {...props} />
      </div>
      <div className="md:hidden">
        <Cards {...props} />
      </div>
    </>
  );
}

function Grid<Row>({ label, columns, rows, keyOf, detail }: TableProps<Row>) {
  return (
    // With `relative`, the positioned text for screen readers does not widen the whole page.
    <section className="relative overflow-x-auto" aria-label={label} tabIndex={0}>
      <table className="w-full border-collapse">
        <thead>
          <tr>
            {columns.map(({ head, right }) => (
              <th
                key={head}
                scope="col"
                className={`border-b border-line px-3 py-2 text-xs font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4 ${right === true ? "text-right" : "text-left"}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={keyOf(row)}>
              <tr className="hover:bg-raised" data-row={keyOf(row)}>
                {columns.map(({ head, cell, right }) => (
                  <td
                    key={head}
                    className={`figure border-b border-line px-3 py-2 align-top first:pl-4 last:pr-4 ${right === true ? "text-right whitespace-nowrap" : ""}`}
                  >
                    {cell(row)}
                  </td>
                ))}
              </tr>
              <Detail row={row} keyOf={keyOf} detail={detail} columns={columns.length} />
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Detail<Row>({
  row,
  keyOf,
  detail,
  columns,
}: {
  readonly row: Row;
  readonly keyOf: TableProps<Row>["keyOf"];
  readonly detail: TableProps<Row>["detail"];
  readonly columns: number;
}) {
  const content = detail?.(row) ?? null;
  if (content === null) return null;
  return (
    <tr data-item={keyOf(row)}>
      <td colSpan={columns} className="border-b border-line bg-ground px-4 py-3">
        {content}
      </td>
    </tr>
  );
}

function Cards<Row>({ label, columns, rows, keyOf, detail }: TableProps<Row>) {
  const titles = columns.filter(({ phone }) => phone === "title");
  const figures = columns.filter(({ phone }) => phone === "figure");
  return (
    <ul aria-label={label}>
      {rows.map((row) => {
        const content = detail?.(row) ?? null;
        return (
          <li
            key={keyOf(row)}
            className="border-b border-line px-4 py-3 last:border-b-0"
            data-item={keyOf(row)}
          >
            <div className="flex flex-wrap items-center justify-between gap-2 font-medium">
              {titles.map(({ head, cell }) => (
                <div key={head} className="min-w-0 wrap-anywhere">
                  {cell(row)}
                </div>
              ))}
            </div>
            <dl className="mt-2 grid grid-cols-3 gap-3">
              {figures.map(({ head, cell }) => (
                <div key={head} className="min-w-0">
                  <dt className="text-xs text-muted">{head}</dt>
                  <dd className="figure wrap-anywhere">{cell(row)}</dd>
                </div>
              ))}
            </dl>
            {content !== null && <div className="mt-3 border-t border-line pt-3">{content}</div>}
          </li>
        );
      })}
    </ul>
  );
}
