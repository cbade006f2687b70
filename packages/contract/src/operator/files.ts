import { JOURNAL_FILE_TYPE, type OperatorCallName } from "./calls.ts";

/** The content type of a bulk's rows, by the name of the format. */
export const BULK_TYPES = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;

/** Maximum number of rows of one bulk. */
export const BULK_ROWS_MAX = 10_000;
/** Maximum size of the file of a bulk, in bytes. */
export const BULK_BYTES_MAX = 8 * 1024 * 1024;

/**
 * The content type of the answer of a bulk: one JSON line for each row, in their order, sent while the rows are carried
 * out.
 */
export const BULK_ANSWER_TYPE = "application/x-ndjson";

/** The response header of a file of events: the `after` of the next file. */
export const NEXT_HEADER = "X-Next";

/** The response header of a file: the time to which its contents apply, in Unix milliseconds. */
export const AS_OF_HEADER = "X-As-Of-Ms";

/** The content type of the answer of each call that always returns a file. */
export const OPERATOR_FILES = {
  backup: "application/gzip",
  "journal.export": JOURNAL_FILE_TYPE,
  "accounts.evidence": "application/json; charset=utf-8",
  "accounts.bulk": BULK_ANSWER_TYPE,
  "keys.bulk": BULK_ANSWER_TYPE,
  "payouts.bulk": BULK_ANSWER_TYPE,
} as const satisfies Readonly<Partial<Record<OperatorCallName, string>>>;

/** The names of calls that always return a file. */
export type FileCall = keyof typeof OPERATOR_FILES;

/** The call that each row of a bulk makes. @rule D12.bulk */
export const BULK_CALLS = {
  "accounts.bulk": "accounts.open",
  "keys.bulk": "keys.create",
  "payouts.bulk": "payouts.record",
} as const;

/** The names of calls that take a file of rows. */
export type BulkCall = keyof typeof BULK_CALLS;

export function isBulkCall(name: string): name is BulkCall {
  return Object.hasOwn(BULK_CALLS, name);
}
