import {
  BULK_BYTES_MAX,
  type BULK_CALLS,
  BULK_TYPES,
  type BulkCall,
  type BulkLine,
  isRecord,
  type OperatorBody,
} from "@propgate/contract";
import { InvalidSettingError, pause, UnexpectedAnswerError } from "@propgate/sdk";
import { OperatorError } from "./operator-error.ts";
import { fileLines, fileOf } from "./operator-file.ts";
import type { OperatorConnection } from "./operator-settings.ts";
import { createRetryWaits, type OutgoingCall, sendForFile } from "./send.ts";

/** The fields of one row: those of the single call, and the payout's id when that call has it in its path. */
export type BulkRow<Name extends BulkCall> = OperatorBody<(typeof BULK_CALLS)[Name]> &
  (Name extends "payouts.bulk" ? { readonly id: string } : unknown);

/** The rows of a bulk, as objects or as the content of a file. */
export type BulkFile<Name extends BulkCall> =
  | { readonly rows: readonly BulkRow<Name>[] }
  | { readonly csv: string | Uint8Array<ArrayBuffer> }
  | { readonly ndjson: string | Uint8Array<ArrayBuffer> };

/**
 * The body of a bulk's request and its content type. Throws InvalidSettingError for a file above the maximum: the
 * service would refuse it before it is sent whole, and the broken connection would hide the refusal.
 */
export function bulkBody(file: BulkFile<BulkCall>): Pick<OutgoingCall, "body" | "contentType"> {
  const { body, contentType } = bodyOf(file);
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (bytes.length <= BULK_BYTES_MAX) return { body: bytes, contentType };
  throw new InvalidSettingError(
    "file",
    `has ${bytes.length} bytes, and ${BULK_BYTES_MAX} is the maximum: send it in parts`,
  );
}

function bodyOf(file: BulkFile<BulkCall>): {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly contentType: string;
} {
  if ("csv" in file) return { body: file.csv, contentType: BULK_TYPES.csv };
  const body =
    "ndjson" in file ? file.ndjson : file.rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  return { body, contentType: BULK_TYPES.ndjson };
}

/**
 * The results of a bulk, row by row. After a lost connection, and after a row that a repetition can settle, the file is
 * sent again with the same key. Rows that were carried out then get their first answer again, and each row is yielded
 * once. @rule D12.bulk @rule D12.repeatedWrites
 */
export async function sendBulk(
  connection: OperatorConnection,
  outgoing: OutgoingCall,
): Promise<AsyncIterable<BulkLine>> {
  const first = await sendForFile(connection, outgoing);
  return bulkLines(connection, outgoing, first);
}

async function* bulkLines(
  connection: OperatorConnection,
  outgoing: OutgoingCall,
  first: Response,
): AsyncGenerator<BulkLine> {
  const { plan } = connection;
  const { options } = outgoing;
  const progress = { rows: 0, nextWait: createRetryWaits(plan) };
  let response = first;
  for (;;) {
    const lines = fileLines(fileOf(connection, response, options).content);
    const waitMs = yield* remainingLines(lines, progress);
    if (waitMs === null) return;
    await pause(plan, waitMs, options.signal ?? null);
    response = await sendForFile(connection, outgoing);
  }
}

/**
 * Yields the lines of one answer that follow the rows already yielded. Returns the wait before the next attempt when
 * the answer is cut, or when a repetition can settle a row; null after the last row.
 */
async function* remainingLines(
  lines: AsyncIterable<string>,
  progress: { rows: number; readonly nextWait: ReturnType<typeof createRetryWaits> },
): AsyncGenerator<BulkLine, number | null> {
  try {
    for await (const text of lines) {
      const line = readLine(text);
      if (line.row <= progress.rows) continue;
      const waitMs = line.status === 200 ? null : progress.nextWait(refusalOf(line));
      if (waitMs !== null) return waitMs;
      yield line;
      progress.rows = line.row;
    }
    return null;
  } catch (error) {
    const waitMs = progress.nextWait(error);
    if (waitMs === null) throw error;
    return waitMs;
  }
}

/**
 * The refusal of a row as the single call would throw it. A row has no `Retry-After`, so it gets the service's usual
 * one, a second.
 */
function refusalOf({ status, code = "internal", error = "" }: BulkLine): OperatorError {
  return new OperatorError({
    status,
    code,
    error,
    field: null,
    details: {},
    retryAfterMs: RETRY_AFTER_MS,
  });
}

const RETRY_AFTER_MS = 1_000;

function readLine(text: string): BulkLine {
  const line: unknown = parseJson(text);
  if (isBulkLine(line)) return line;
  throw new UnexpectedAnswerError(200);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isBulkLine(line: unknown): line is BulkLine {
  return isRecord(line) && typeof line.row === "number" && typeof line.status === "number";
}
