/** Runs one statement; parameters are `$1`, `$2` … Rows come back with bigint and numeric as text. */
export interface Queryable {
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
