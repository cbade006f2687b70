import { type PGlite, protocol } from "@electric-sql/pglite";
import { decodeColumn, encodeParameter } from "../stores/column-text.ts";
import type { Queryable, StatementPreparing } from "./database.ts";
import { DatabaseUnusable } from "./database-error.ts";

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/**
 * A prepared statement with its columns. The columns are described only once, because describing a result costs as much
 * as many statements cost themselves.
 */
interface Statement {
  readonly name: string;
  readonly columns: readonly Column[];
}

type Messages = Awaited<ReturnType<PGlite["execProtocolStream"]>>;

/** The connection to an open PGlite, which may stop for good. */
export interface PgliteSession extends Queryable {
  /** True once this session has stopped for good, for example because the disk failed. */
  readonly isStopped: boolean;
}

/**
 * PGlite's only connection, used through PostgreSQL's wire protocol. PGlite's `query` makes six calls into the database
 * for each statement; a prepared statement here makes one. The caller must wait for each statement before it sends the
 * next.
 */
export function createPgliteSession(pglite: PGlite): PgliteSession {
  const prepared = new Map<string, Statement>();
  let stopped: unknown = null;

  const send = async (messages: readonly Uint8Array[]): Promise<Messages> => {
    // After a FATAL or PANIC error a PostgreSQL server would exit. PGlite would loop forever instead, so no further
    // statement is sent to it.
    if (stopped !== null) throw unusableError(stopped);
    try {
      const answer = await pglite.execProtocolStream(Buffer.concat(messages), { syncToFs: false });
      if (!answer.some(isCompletion)) throw new Error("the statement was not completed");
      return answer;
    } catch (cause) {
      if (!isStatementFailure(cause)) stopped = cause;
      throw cause;
    }
  };

  const parse = async (name: string, text: string): Promise<Statement> => {
    const answer = await send([
      protocol.serialize.parse({ name, text }),
      protocol.serialize.describe({ type: "S", name }),
      protocol.serialize.sync(),
    ]);
    return { name, columns: columnsOf(answer) };
  };

  const prepare = async (text: string): Promise<Statement> => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = await parse(`s${prepared.size}`, text);
    prepared.set(text, statement);
    return statement;
  };

  return {
    get isStopped() {
      return stopped !== null;
    },
    async query<Row>(
      text: string,
      parameters?: readonly unknown[],
      preparing: StatementPreparing = "kept",
    ) {
      if (parameters === undefined) {
        return rowsOf<Row>(await send([protocol.serialize.query(text)]));
      }
      const { name, columns } = await (preparing === "once" ? parse("", text) : prepare(text));
      const answer = await send([
        protocol.serialize.bind({ statement: name, values: parameters.map(encodeParameter) }),
        protocol.serialize.execute({}),
        protocol.serialize.sync(),
      ]);
      return rowsOf<Row>(answer, columns);
    },
  };
}

const COMPLETIONS: ReadonlySet<string> = new Set([
  "commandComplete",
  "parseComplete",
  "emptyQuery",
]);

function isCompletion({ name }: Messages[number]): boolean {
  return COMPLETIONS.has(name);
}

/** True for the failure of a statement after which the database still works. FATAL and PANIC errors stop it. */
function isStatementFailure(cause: unknown): boolean {
  return cause instanceof protocol.messages.DatabaseError && cause.severity === "ERROR";
}

function unusableError(cause: unknown): DatabaseUnusable {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DatabaseUnusable(
    `The embedded database has stopped, as it does when its disk fails (${reason}). It is reopened when the disk works again.`,
    { cause },
  );
}

function columnsOf(messages: Messages): readonly Column[] {
  for (const message of messages) {
    if (message instanceof protocol.messages.RowDescriptionMessage) return message.fields;
  }
  return [];
}

/** The rows of an answer. Their columns are `given`, unless the answer describes its own. */
function rowsOf<Row>(messages: Messages, given: readonly Column[] = []): readonly Row[] {
  let columns = given;
  const rows: Row[] = [];
  for (const message of messages) {
    if (message instanceof protocol.messages.RowDescriptionMessage) columns = message.fields;
    else if (message instanceof protocol.messages.DataRowMessage) {
      rows.push(rowOf<Row>(columns, message.fields));
    }
  }
  return rows;
}

/** Makes a row of the type that the caller of the statement declares. Only this function trusts the declaration. */
function rowOf<Row>(columns: readonly Column[], fields: readonly (string | null)[]): Row {
  const row: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const field = fields[index] ?? null;
    row[column.name] = field === null ? null : decodeColumn(field, column.dataTypeID);
  }
  return row as Row;
}
