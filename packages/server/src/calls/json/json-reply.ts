import type { Person } from "@propgate/access";
import type { Act } from "@propgate/base";
import type { OperatorErrorCode } from "@propgate/contract";
import type { UntilOver } from "@propgate/ledger";

/** A call as its handler sees it, without the caller. */
export interface JsonCall {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** An empty object when none was sent. */
  readonly body: unknown;
  /** For a call that waits: its client is gone, or the service stops. */
  readonly untilOver: UntilOver;
  /** The act of a write that its client may repeat; null without a key. @rule D12.repeatedWrites */
  readonly act: Act | null;
  /** The body of a call that takes a file; null for other calls. */
  readonly file: SentFile | null;
  /** The keys of the rows of that file; null without a key. */
  readonly rowKeys: RowKeys | null;
  /** Writes down the result of one row, as the call of that name; with the cause of a fault. */
  noteRow(name: string, reply: JsonReply | FailedReply, cause?: unknown): void | Promise<void>;
}

export interface SentFile {
  /** The value of the header; empty when there is none. */
  readonly type: string;
  readonly text: string;
}

/** The keys of the rows of a bulk: the call's key and the row's number. @rule D12.bulk */
export interface RowKeys {
  carryOut(row: KeyedRow, run: (act: Act) => Promise<JsonReply>): Promise<JsonReply>;
  /** Whether the row has an answer or another content already, so that it does not act. */
  isEnded(row: KeyedRow): Promise<boolean>;
  /** Call it when no further row of an answer that is a stream is carried out. */
  end(): Promise<void>;
}

export interface KeyedRow {
  readonly row: number;
  /** The row's JSON value. */
  readonly value: unknown;
}

/** Details for the audit line; never a secret. */
export interface About {
  /** The person, when only the handler knows: at sign-in. */
  readonly by?: Pick<Person, "personId" | "name" | "role">;
  readonly subject?: string;
  readonly accountId?: string;
  readonly detail?: string;
}

export type ReplyHeaders = Readonly<Record<string, string | string[]>>;

export interface DataReply<Data = unknown> {
  readonly status: 200;
  readonly data: Data;
  readonly headers?: ReplyHeaders;
  readonly about?: About;
}

/** A file or a stream of events, sent while it is produced. */
export interface StreamReply {
  readonly status: 200;
  readonly content: AsyncIterable<Uint8Array>;
  readonly type: string;
  readonly headers?: ReplyHeaders;
  readonly about?: About;
}

/** `Data` is the `data` of a 200. */
export type JsonReply<Data = unknown> = DataReply<Data> | StreamReply | RefusedReply;

/** For the audit only: the handler threw, and may have done part of its work. */
export interface FailedReply {
  readonly status: 500;
  readonly error: string;
}

export interface RefusedReply {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 503;
  /** A sentence; where one field is wrong, its name and a colon come first. */
  readonly error: string;
  /** Set where it does not follow from the status; see `refusalBody`. */
  readonly code?: OperatorErrorCode;
  /** The name of the wrong field. Programs read it here and never in the sentence. */
  readonly field?: string;
  /** Ids and numbers for programs. */
  readonly details?: Readonly<Record<string, string | number>>;
  readonly headers?: ReplyHeaders;
  readonly about?: About;
}

export function fine<Data>(data: Data, about?: About): DataReply<Data> {
  return about === undefined ? { status: 200, data } : { status: 200, data, about };
}

/** Refuses a feature that the account's network does not have. The pages recognize this refusal by its code. */
export function notOffered({ notOffered: reason }: { readonly notOffered: string }): RefusedReply {
  return { ...refused(reason, 404), code: "not_offered" };
}

/** `field`: where the sentence is about one. */
export function refused(
  error: string,
  status: RefusedReply["status"] = 409,
  field?: string,
): RefusedReply {
  return field === undefined ? { status, error } : { status, error, field };
}

/** Refuses the value of a field; `problem` goes on after the field's name. */
export function wrongField(
  field: string,
  problem: string,
  status: RefusedReply["status"] = 400,
): RefusedReply {
  return refused(`${field}: ${problem}`, status, field);
}
