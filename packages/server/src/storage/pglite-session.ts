import { type PGlite, protocol } from "@electric-sql/pglite";
import { decodeColumn, encodeParameter } from "./column-text.ts";
import type { Queryable } from "./database.ts";

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/**
 * PGlite's one connection, spoken to in PostgreSQL's own messages: its `query` takes six calls into
 * the database for a statement, a prepared statement here takes one. Knows nothing of turns: the
 * caller sees to it that statements come one after the other.
 */
export function pgliteSession(pglite: PGlite): Queryable {
  const prepared = new Map<string, string>();

  const send = async (messages: readonly Uint8Array[]) =>
    pglite.execProtocolStream(Buffer.concat(messages), { syncToFs: false });

  const prepare = async (text: string): Promise<string> => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const name = `s${prepared.size}`;
    await send([protocol.serialize.parse({ name, text }), protocol.serialize.sync()]);
    prepared.set(text, name);
    return name;
  };

  return {
    async query<Row>(text: string, parameters?: readonly unknown[]) {
      if (parameters === undefined)
        return rowsOf<Row>(await send([protocol.serialize.query(text)]));
      const statement = await prepare(text);
      return rowsOf<Row>(
        await send([
          protocol.serialize.bind({ statement, values: parameters.map(encodeParameter) }),
          protocol.serialize.describe({ type: "P" }),
          protocol.serialize.execute({}),
          protocol.serialize.sync(),
        ]),
      );
    },
  };
}

function rowsOf<Row>(messages: Awaited<ReturnType<PGlite["execProtocolStream"]>>): readonly Row[] {
  let columns: readonly Column[] = [];
  const rows: Row[] = [];
  for (const message of messages) {
    if (message instanceof protocol.messages.RowDescriptionMessage) columns = message.fields;
    else if (message instanceof protocol.messages.DataRowMessage) {
      rows.push(rowOf<Row>(columns, message.fields));
    }
  }
  return rows;
}

/** The caller names the row's type beside its statement; here is the one place that believes it. */
function rowOf<Row>(columns: readonly Column[], fields: readonly (string | null)[]): Row {
  const row: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const field = fields[index] ?? null;
    row[column.name] = field === null ? null : decodeColumn(field, column.dataTypeID);
  }
  return row as Row;
}
