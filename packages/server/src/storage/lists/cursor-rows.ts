import type { Database, Queryable } from "@propgate/ledger";
import type { ListText } from "./list-statement.ts";

const ROWS = 1_000;
/** Enough for a part of a merge that waits until another part has caught up. */
const READING = { idleMs: 600_000 };

/**
 * Reads the rows of one statement page by page. They are those of the moment at which the cursor was declared.
 * @rule D12.listFile decides
 */
export function cursorRows<Row>(
  database: Database,
  statement: ListText,
): AsyncGenerator<readonly Row[]> {
  return database.kind === "pglite"
    ? heldRows(database, statement)
    : rowsInTransaction(database, statement);
}

/**
 * The embedded database has one connection, which orders need between two pages. Its session keeps the rows of a cursor
 * after the transaction that declared it, so that none is open while a page is read.
 */
async function* heldRows<Row>(
  database: Database,
  { text, parameters }: ListText,
): AsyncGenerator<readonly Row[]> {
  const cursor = await database.transaction(async (transaction) => {
    const name = await newName(transaction);
    const declaration = `declare ${name} no scroll cursor with hold for ${text}`;
    await transaction.query(declaration, parameters, "once");
    return name;
  });
  let isThere = true;
  try {
    yield* pagesOf<Row>(database, cursor);
  } catch (cause) {
    // It went with its session: the database has stopped, and may be open again.
    isThere = false;
    throw cause;
  } finally {
    if (isThere) await database.query(`close ${cursor}`, [], "once");
  }
}

/** No other file has it: it is made of the transaction's number. */
async function newName(transaction: Queryable): Promise<string> {
  const [row] = await transaction.query<{ readonly name: string }>(
    "select 'listed_' || pg_current_xact_id()::text as name",
    [],
  );
  if (row === undefined) throw new Error("broken invariant: a transaction has a number");
  return row.name;
}

/** In a transaction of its own, which ends when the reader does. */
async function* rowsInTransaction<Row>(
  database: Database,
  { text, parameters }: ListText,
): AsyncGenerator<readonly Row[]> {
  const { readable, writable } = new TransformStream<readonly Row[], readonly Row[]>();
  const writer = writable.getWriter();
  const reading = database
    .transaction(async (transaction) => {
      await transaction.query(`declare listed no scroll cursor for ${text}`, parameters, "once");
      for await (const rows of pagesOf<Row>(transaction, "listed")) await writer.write(rows);
    }, READING)
    .then(() => writer.close())
    // A reader that stopped early has ended the stream; otherwise it gets the failure.
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
