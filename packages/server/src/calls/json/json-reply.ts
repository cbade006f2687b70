import type { Person } from "@propgate/access";
import type { RepeatableCall } from "@propgate/base";
import type { OperatorErrorCode } from "@propgate/contract";
import type { OnRequestEnd } from "@propgate/ledger";

/** A call as its handler gets it, without the caller. */
export interface JsonCall {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON; an empty object when there is no body, when it cannot be parsed, or when it is a file. */
  readonly body: unknown;
  /** For a call that waits: calls a listener when the client has disconnected or the service stops. */
  readonly untilOver: OnRequestEnd;
  /**
   * For a write with an idempotency key: its id and its source of random bytes, which are the same in every repetition.
   * Null for other calls. @rule D12.repeatedWrites
   */
  readonly act: RepeatableCall | null;
  /** The body of a call that takes a file; null for other calls. */
  readonly file: SentFile | null;
  /** Gives each row of the file its own idempotency key; null when the call was sent without a key. */
  readonly rowKeys: RowKeys | null;
  /**
   * Writes the answer to one row of a bulk to the audit. `name` is the name of the call that the row makes. `cause` is
   * the fault of a row that failed; it is logged.
   */
  noteRow(name: string, reply: JsonReply | FailedReply, cause?: unknown): void | Promise<void>;
}

/** The body of a call that takes a file. */
export interface SentFile {
  /** The value of the header `Content-Type`; empty when there is none. */
  readonly type: string;
  readonly text: string;
}

/** Carries out the rows of a bulk, each under its own key: the call's key and the row's number. @rule D12.rowKeys */
export interface RowKeys {
  carryOut(row: KeyedRow, run: (act: RepeatableCall) => Promise<JsonReply>): Promise<JsonReply>;
  /**
   * True when an answer is stored for the row's key. The row is then not carried out, even if its content has changed.
   */
  isEnded(row: KeyedRow): Promise<boolean>;
  /** Called after the last row, when the answer has ended or its client has disconnected. */
  end(): Promise<void>;
}

/** A row of a bulk that can be carried out, with its number, which is a part of its idempotency key. */
export interface KeyedRow {
  readonly row: number;
  /** The row's JSON value. */
  readonly value: unknown;
}

/** Details of a call for its line in the audit. They never have a secret. */
export interface AuditDetails {
  /** The person who makes the call, where only the handler knows the person: at sign-in. */
  readonly by?: Pick<Person, "personId" | "name" | "role">;
  readonly subject?: string;
  readonly accountId?: string;
  readonly detail?: string;
}

export type ReplyHeaders = Readonly<Record<string, string | string[]>>;

/** The 200 of a call whose answer is JSON. */
export interface DataReply<Data = unknown> {
  readonly status: 200;
  readonly data: Data;
  readonly headers?: ReplyHeaders;
  readonly about?: AuditDetails;
}

/** A file or a stream of events, which is sent while it is produced. */
export interface StreamReply {
  readonly status: 200;
  readonly content: AsyncIterable<Uint8Array>;
  readonly type: string;
  readonly headers?: ReplyHeaders;
  readonly about?: AuditDetails;
}

/** The answer of a handler. `Data` is the type of `data` in a 200. */
export type JsonReply<Data = unknown> = DataReply<Data> | StreamReply | RefusedReply;

/** The 500 after a fault that the client cannot act on. A part of the call's work may be stored. */
export interface FailedReply {
  readonly status: 500;
  readonly error: string;
}

/** A refusal, which becomes the body of an error answer. */
export interface RefusedReply {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 503;
  /** A sentence. When one field is wrong, it begins with the field's name and a colon. */
  readonly error: string;
  /** The code by which programs recognize the refusal. Absent when `refusalBody` derives the code from the status. */
  readonly code?: OperatorErrorCode;
  /** The name of the wrong field, so that no program has to read it from the sentence. */
  readonly field?: string;
  /** The ids and numbers that the sentence mentions, for programs. */
  readonly details?: Readonly<Record<string, string | number>>;
  readonly headers?: ReplyHeaders;
  readonly about?: AuditDetails;
}

/** The 200 with this data. */
export function okReply<Data>(data: Data, about?: AuditDetails): DataReply<Data> {
  return about === undefined ? { status: 200, data } : { status: 200, data, about };
}

/** Refuses a feature that the account's network does not have. The pages recognize this refusal by its code. */
export function notOfferedReply({
  notOffered: reason,
}: {
  readonly notOffered: string;
}): RefusedReply {
  return { ...refusedReply(reason, 404), code: "not_offered" };
}

/** A refusal; without `status` it is a 409. `field` is the name of the wrong field, if the sentence is about one. */
export function refusedReply(
  error: string,
  status: RefusedReply["status"] = 409,
  field?: string,
): RefusedReply {
  return field === undefined ? { status, error } : { status, error, field };
}

/** Refuses the value of a field. `problem` follows the field's name and a colon. */
export function wrongFieldReply(
  field: string,
  problem: string,
  status: RefusedReply["status"] = 400,
): RefusedReply {
  return refusedReply(`${field}: ${problem}`, status, field);
}
