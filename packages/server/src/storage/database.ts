/** Runs one statement; parameters are `$1`, `$2` … Rows come back with bigint and numeric as text. */
export interface Queryable {
  /**
   * With parameters, also an empty list, the statement is prepared once per connection. Without
   * them the text goes to the database as it is and may hold several statements.
   */
  query<Row>(text: string, parameters?: readonly unknown[]): Promise<readonly Row[]>;
}

/**
 * One SQL dialect, PostgreSQL, behind either PGlite or a server. Statements are prepared once per
 * text and connection. A transaction commits when `work` resolves and rolls back when it rejects.
 */
export interface Database extends Queryable {
  readonly kind: "pglite" | "postgres";
  transaction<Value>(work: (transaction: Queryable) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}
