import type { Database, Queryable } from "@propgate/ledger";
import type { ListSql } from "./list-statement.ts";

const ROWS = 1_000;
/**
 * The time for which the transaction may be idle. It is so long because the rows of one database can wait in a merge
 * until those of another database have caught up.
 */
const READING = { idleMs: 600_000 };

/**
 * Reads the rows of one statement page by page. The rows are as they were when the cursor was declared.
 * @rule D12.listFile decides
 */
export function cursorRows<Row>(
  database: Database,
  statement: ListSql,
): AsyncGenerator<readonly Row[]> {
  return database.kind === "pglite"
    ? rowsWithHold(database, statement)
    : rowsInTransaction(database, statement);
}

/**
 * Reads the rows on the embedded database. It has one connection, and orders need that connection between two pages. So
 * the cursor is declared `with hold`: the session keeps its rows after the transaction, and no transaction is open
 * while a page is read.
 */
async function* rowsWithHold<Row>(
  database: Database,
  { text, parameters }: ListSql,
): AsyncGenerator<readonly Row[]> {
  const cursor = await database.transaction(async (transaction) => {
    const name = await newCursorName(transaction);
    const declaration = `declare ${name} no scroll cursor with hold for ${text}`;
    await transaction.query(declaration, parameters, "once");
    return name;
  });
  let isCursorOpen = true;
  try {
    yield* pagesOf<Row>(database, cursor);
  } catch (cause) {
    // The read fails when the database has stopped. The cursor has ended with its session, so it must not be closed,
    // even when the database is open again.
    isCursorOpen = false;
    throw cause;
  } finally {
    if (isCursorOpen) await database.query(`close ${cursor}`, [], "once");
  }
}

/** A name that no other cursor has: it is made of the transaction's number. */
async function newCursorName(transaction: Queryable): Promise<string> {
  const [row] = await transaction.query<{ readonly name: string }>(
    "select 'listed_' || pg_current_xact_id()::text as name",
    [],
  );
  if (row === undefined) throw new Error("broken invariant: a transaction has a number");
  return row.name;
}

/** Reads the rows in a transaction of its own, which ends when the reader has all rows or stops. */
async function* rowsInTransaction<Row>(
  database: Database,
  { text, parameters }: ListSql,
): AsyncGenerator<readonly Row[]> {
  const { readable, writable } = new TransformStream<readonly Row[], readonly Row[]>();
  const writer = writable.getWriter();
  const reading = database
    .transaction(async (transaction) => {
      await transaction.query(`declare listed no scroll cursor for ${text}`, parameters, "once");
      for await (const rows of pagesOf<Row>(transaction, "listed")) await writer.write(rows);
    }, READING)
    .then(() => writer.close())
    // A failure reaches the reader through the stream. When the reader has stopped early, the stream has ended already.
    .catch((cause: unknown) => writer.abort(cause));
  yield* readable;
  await reading;
}

async function* pagesOf<Row>(on: Queryable, cursor: string): AsyncGenerator<readonly Row[]> {
  for (;;) {
    const rows = await on.query<Row>(`fetch ${ROWS} from ${cursor}`, [], "once");
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS) return;
  }
}
