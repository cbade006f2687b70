import { wireJson } from "@propgate/base";
import {
  BULK_ANSWER_TYPE,
  type BulkLine,
  type OperatorCallName,
  REPLAYED_HEADER,
} from "@propgate/contract";
import {
  type JsonCall,
  type JsonReply,
  type KeyedRow,
  type RefusedReply,
  type StreamReply,
  wrongFieldReply,
} from "../../json/json-reply.ts";
import { knownFaultReply } from "../../json/known-fault.ts";
import { piecesWithEnd } from "../../json/pieces-with-end.ts";
import { refusalBody } from "../../json/refusal-body.ts";
import { type OperatorCaller, type OperatorCallOptions, takenIdReply } from "../operator-reply.ts";
import { type BulkColumns, type BulkRow, readBulkRows } from "./bulk-rows.ts";

/** A kind of bulk: the call that each of its rows makes. */
export interface BulkKind {
  readonly name: OperatorCallName;
  readonly columns: BulkColumns;
  readonly handle: (
    options: OperatorCallOptions,
    call: JsonCall,
    by: OperatorCaller,
  ) => Promise<JsonReply>;
  /** The field that no two rows may share; the later row is refused. Null when there is no such field. */
  readonly uniqueField: string | null;
  /**
   * The value by which rows share a maximum, such as the owner whose accounts are limited; null for a row without a
   * maximum.
   */
  readonly limitKeyOf: (row: ValueRow["value"]) => unknown;
  /**
   * The refusal that the call would get after `earlier` calls with the same `limitKeyOf` value had succeeded; null when
   * it would succeed.
   */
  readonly check: (
    options: OperatorCallOptions,
    call: JsonCall,
    earlier: number,
  ) => Promise<RefusedReply | null>;
}

interface Bulk extends BulkKind {
  readonly options: OperatorCallOptions;
  readonly by: OperatorCaller;
  readonly call: JsonCall;
  /**
   * For each `limitKeyOf` value, a promise that settles when the last row so far with this value has ended. In a dry
   * run it resolves to the number of rows so far with this value that would act, in a real bulk to 0.
   */
  readonly actsSoFar: Map<unknown, Promise<number>>;
}

/** How many rows are under way at the same time. Their commands share commits. */
const CONCURRENT = 16;

/**
 * Makes the handler of a bulk, which carries out a call for each row. The lines of the answer have the order of the
 * rows and are sent while rows are carried out. When the client has disconnected, no further row begins.
 * @rule D12.bulk decides
 */
export function createBulkHandler(kind: BulkKind) {
  return async (
    options: OperatorCallOptions,
    call: JsonCall,
    by: OperatorCaller,
  ): Promise<StreamReply | RefusedReply> => {
    const bulk = { ...kind, options, by, call, actsSoFar: new Map() };
    const prepared = await prepare(bulk);
    if ("status" in prepared) {
      return isDryRun(call) ? withDetail(prepared, `dry run: ${prepared.error}`) : prepared;
    }
    const { rows, isReplay } = prepared;
    const reply: StreamReply = {
      status: 200,
      content: piecesWithEnd(lines(bulk, rows), async () => call.rowKeys?.end()),
      type: BULK_ANSWER_TYPE,
      ...(isReplay ? { headers: { [REPLAYED_HEADER]: "true" } } : {}),
    };
    return isDryRun(call) ? withDetail(reply, "dry run") : reply;
  };
}

/** Adds a detail to the call's line in the audit, such as `dry run`. */
function withDetail<Reply extends StreamReply | RefusedReply>(reply: Reply, detail: string): Reply {
  return { ...reply, about: { detail } };
}

interface Prepared {
  readonly rows: readonly BulkRow[];
  /** True when no row will be carried out: each row has a stored answer or a refusal. */
  readonly isReplay: boolean;
}

async function prepare(bulk: Bulk): Promise<Prepared | RefusedReply> {
  const { file, query, rowKeys } = bulk.call;
  if (file === null) throw new Error("broken invariant: a bulk has a file");
  if (query.dryRun !== undefined && query.dryRun !== "1")
    return wrongFieldReply("dryRun", "must be 1");
  const read = readBulkRows(file, bulk.columns);
  if ("status" in read) return read;
  const rows = refuseDuplicates(
    read.map((row) => withId(row, bulk.columns)),
    bulk.uniqueField,
  );
  if (rowKeys === null) return { rows, isReplay: false };
  for (const row of rows) {
    const acts =
      "value" in row &&
      !(await rowKeys.isEnded(row)) &&
      (await bulk.check(bulk.options, callOf(bulk, row), 0)) === null;
    if (acts) return { rows, isReplay: false };
  }
  return { rows, isReplay: true };
}

/**
 * True for a dry run. It changes no data and does not use its idempotency key, so the key is free for the real call.
 * @rule D12.dryRun decides
 */
export function isDryRun({ query }: Pick<JsonCall, "query">): boolean {
  return query.dryRun === "1";
}

function withId(row: BulkRow, { idColumn }: BulkColumns): BulkRow {
  if (idColumn === null || "refusal" in row || typeof row.value[idColumn] === "string") return row;
  return { row: row.row, refusal: wrongFieldReply(idColumn, "is required") };
}

/**
 * Refuses each row whose unique value is in an earlier row, even if that earlier row is not carried out.
 * @rule D12.bulkTwins decides
 */
function refuseDuplicates(rows: readonly BulkRow[], unique: string | null): readonly BulkRow[] {
  if (unique === null) return rows;
  const first = new Map<unknown, number>();
  return rows.map((row) => {
    if (!("value" in row)) return row;
    const { [unique]: id } = row.value;
    if (typeof id !== "string") return row;
    const before = first.get(id);
    if (before === undefined) {
      first.set(id, row.row);
      return row;
    }
    const text = `${JSON.stringify(id)} is in row ${before} of this file`;
    return { row: row.row, refusal: duplicateRefusal(unique, text, { row: before }) };
  });
}

function duplicateRefusal(
  field: string,
  text: string,
  details: { readonly row: number },
): RefusedReply {
  return field === "externalId"
    ? takenIdReply(text, details)
    : { ...wrongFieldReply(field, text, 409), code: "conflict", details };
}

async function* lines(bulk: Bulk, rows: readonly BulkRow[]): AsyncGenerator<Uint8Array> {
  const underWay: Promise<string>[] = [];
  try {
    for (const row of rows) {
      underWay.push(lineOf(bulk, row));
      if (underWay.length >= CONCURRENT) yield Buffer.from((await underWay.shift()) ?? "");
    }
    for (const line of underWay) yield Buffer.from(await line);
  } finally {
    await Promise.all(underWay);
  }
}

/** The answer's line for one row. Never rejects, because a fault becomes the status of the line. */
async function lineOf(bulk: Bulk, row: BulkRow): Promise<string> {
  const reply = "refusal" in row ? row.refusal : await replyOf(bulk, row).catch(faultOf(bulk));
  const { row: number } = row;
  const { status } = reply;
  const end = "data" in reply ? { data: reply.data } : "error" in reply ? refusalBody(reply) : {};
  const line: BulkLine = { row: number, status, ...end };
  return `${wireJson(line)}\n`;
}

function faultOf({ call, name }: Bulk) {
  return async (cause: unknown) => {
    const known = knownFaultReply(cause, true);
    const failed = { status: 500, error: "Internal error; the log has the cause" } as const;
    await call.noteRow(name, known ?? failed, cause);
    return known ?? failed;
  };
}

/**
 * Answers one row. Rows that share a maximum are carried out one after the other, so that earlier rows use up the
 * maximum before later rows. A dry run counts the rows that would act.
 */
function replyOf(bulk: Bulk, row: KeyedRow & BulkRow & ValueRow): Promise<JsonReply> {
  const { limitKeyOf, actsSoFar } = bulk;
  const shared = limitKeyOf(row.value);
  if (shared === null) return replyInTurn(bulk, row, 0);
  const before = actsSoFar.get(shared) ?? Promise.resolve(0);
  const reply = before.then((earlier) => replyInTurn(bulk, row, earlier));
  const isAct = reply.then(
    ({ status }) => status === 200 && isDryRun(bulk.call),
    () => false,
  );
  const after = Promise.all([before, isAct]);
  actsSoFar.set(
    shared,
    after.then(([earlier, acts]) => (acts ? earlier + 1 : earlier)),
  );
  return reply;
}

async function replyInTurn(
  bulk: Bulk,
  row: KeyedRow & BulkRow & ValueRow,
  earlier: number,
): Promise<JsonReply> {
  const { call, name, options, by } = bulk;
  const own = callOf(bulk, row);
  if (isDryRun(call)) {
    return (await bulk.check(options, own, earlier)) ?? { status: 200, data: null };
  }
  const reply =
    call.rowKeys === null
      ? await bulk.handle(options, own, by)
      : await call.rowKeys.carryOut(row, (act) => bulk.handle(options, { ...own, act }, by));
  // The request's path has no id from which the audit could take the subject.
  const { id: subject } = own.parameters;
  const about = subject === undefined ? reply.about : { subject, ...reply.about };
  await call.noteRow(name, about === undefined ? reply : { ...reply, about });
  return reply;
}

interface ValueRow {
  readonly value: Readonly<Record<string, unknown>>;
}

/** The call of one row. The column with the path's id is not a field of the body. */
function callOf({ call, columns }: Bulk, { value }: ValueRow): JsonCall {
  const plain = { ...call, query: {}, file: null, rowKeys: null };
  if (columns.idColumn === null) return { ...plain, parameters: {}, body: value };
  const { [columns.idColumn]: id = "", ...body } = value;
  return { ...plain, parameters: { id: String(id) }, body };
}
