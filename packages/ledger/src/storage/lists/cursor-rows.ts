import type { Database } from "../databases/database.ts";
import type { ListText } from "./list-statement.ts";

const ROWS = 1_000;
/** Enough for a part of a merge that waits until another part has caught up. */
const READING = { idleMs: 600_000 };

/**
 * Reads the rows of one statement page by page in a transaction of its own, which ends when the reader does. The
 * cursor sees the rows of the moment at which it was declared. @rule D12.listFile decides
 */
export async function* cursorRows<Row>(
  database: Database,
  { text, parameters }: ListText,
): AsyncGenerator<readonly Row[]> {
  const { readable, writable } = new TransformStream<readonly Row[], readonly Row[]>();
  const writer = writable.getWriter();
  const reading = database
    .transaction(async (transaction) => {
      await transaction.query(`declare listed no scroll cursor for ${text}`, parameters, "once");
      for (;;) {
        const rows = await transaction.query<Row>(`fetch ${ROWS} from listed`, [], "once");
        if (rows.length > 0) await writer.write(rows);
        if (rows.length < ROWS) return;
      }
    }, READING)
    .then(() => writer.close())
    // A reader that stopped early has ended the stream; otherwise it gets the failure.
    .catch((cause: unknown) => writer.abort(cause));
  yield* readable;
  await reading;
}
