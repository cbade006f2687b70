import { JOURNAL_FILE_TYPE, type OperatorCallName } from "./calls.ts";

/** Content types of the rows of a bulk, by the word of a file's format. */
export const BULK_TYPES = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;

/** Content type of the answer of a bulk: one JSON line for each row, in order, while the rows are done. */
export const BULK_ANSWER_TYPE = "application/x-ndjson";

/** The header of a file of events: the `after` of the next file. */
export const NEXT_HEADER = "X-Next";

/** The header of a file: the moment of its contents, Unix milliseconds. */
export const AS_OF_HEADER = "X-As-Of-Ms";

/** The content type of each call that answers a file and nothing else. */
export const OPERATOR_FILES = {
  backup: "application/gzip",
  "journal.export": JOURNAL_FILE_TYPE,
  "accounts.evidence": "application/json; charset=utf-8",
  "accounts.bulk": BULK_ANSWER_TYPE,
  "keys.bulk": BULK_ANSWER_TYPE,
  "payouts.bulk": BULK_ANSWER_TYPE,
} as const satisfies Readonly<Partial<Record<OperatorCallName, string>>>;

/** Calls that answer a file. */
export type FileCall = keyof typeof OPERATOR_FILES;

/** The call that each row of a bulk makes. @rule D12.bulk */
export const BULK_CALLS = {
  "accounts.bulk": "accounts.open",
  "keys.bulk": "keys.create",
  "payouts.bulk": "payouts.record",
} as const;

/** Calls that take a file of rows. */
export type BulkCall = keyof typeof BULK_CALLS;

export function isBulkCall(name: string): name is BulkCall {
  return Object.hasOwn(BULK_CALLS, name);
}
