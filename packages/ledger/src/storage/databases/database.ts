/** Runs one statement with the parameters `$1`, `$2` … Returned rows have bigint and numeric as text. */
export interface Queryable {
  /**
   * With parameters, even an empty list, the statement is prepared once per connection. Without parameters the text may
   * contain several statements and is sent unchanged. `once` keeps no prepared statement, for statements with too many
   * different texts.
   */
  query<Row>(
    text: string,
    parameters?: readonly unknown[],
    preparing?: StatementPreparing,
  ): Promise<readonly Row[]>;
}

/** Whether the connection keeps the prepared statement for the next call; `kept` by default. */
export type StatementPreparing = "kept" | "once";

/** Time limits of a transaction; absent ones have the database's default. */
export interface TransactionLimits {
  /** Milliseconds that one of its statements waits for a lock before it fails with 55P03. */
  readonly lockWaitMs?: number;
  /**
   * Milliseconds that the transaction may be idle between two statements, because its process was stopped or the
   * connection is lost. After that the server rolls it back and releases its locks.
   */
  readonly idleMs?: number;
  /** The time limit of one statement, in milliseconds; 0 for no limit. */
  readonly statementMs?: number;
}

/** The use of a database's connections. */
export interface ConnectionUse {
  readonly inUse: number;
  readonly idle: number;
  /** The number of statements and transactions that wait for a connection at present. */
  readonly waiting: number;
  /** The number of statements and transactions since the start that found every connection in use. */
  readonly waits: number;
}

/**
 * A PostgreSQL database: PGlite in this process, or a server. Both get the same SQL. Statements are prepared once per
 * text and connection. A transaction commits when `work` resolves and rolls back when it rejects. The embedded database
 * has one connection, so its transactions wait for no locks and need no limits.
 */
export interface Database extends Queryable {
  readonly kind: "pglite" | "postgres";
  transaction<Value>(
    work: (transaction: Queryable) => Promise<Value>,
    limits?: TransactionLimits,
  ): Promise<Value>;
  connections(): ConnectionUse;
  close(): Promise<void>;
}
