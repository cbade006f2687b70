import {
  type BULK_CALLS,
  BULK_TYPES,
  type BulkCall,
  type BulkLine,
  isRecord,
  type OperatorBody,
} from "@propgate/contract";
import { pause, UnexpectedAnswerError } from "@propgate/sdk";
import { OperatorError, type OperatorRefusal } from "./operator-error.ts";
import { fileOf, linesOf } from "./operator-file.ts";
import type { OperatorConnection } from "./operator-settings.ts";
import { type Outgoing, sendForFile, waitBefore } from "./send.ts";

/** The fields of one row: those of the single call, and the payout's id when that call has it in its path. */
export type BulkRow<Name extends BulkCall> = OperatorBody<(typeof BULK_CALLS)[Name]> &
  (Name extends "payouts.bulk" ? { readonly id: string } : unknown);

/** The rows of a bulk, as objects or as the content of a file. */
export type BulkFile<Name extends BulkCall> =
  | { readonly rows: readonly BulkRow<Name>[] }
  | { readonly csv: string | Uint8Array<ArrayBuffer> }
  | { readonly ndjson: string | Uint8Array<ArrayBuffer> };

/** The body of a bulk's request and its content type. */
export function bulkBody(file: BulkFile<BulkCall>): Pick<Outgoing, "body" | "contentType"> {
  if ("csv" in file) return { body: file.csv, contentType: BULK_TYPES.csv };
  const body =
    "ndjson" in file ? file.ndjson : file.rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  return { body, contentType: BULK_TYPES.ndjson };
}

/**
 * The results of a bulk, row by row. After a lost connection the file is sent again with the same key. Rows that were
 * carried out then get their first answer again, and each row is yielded once. @rule D12.bulk @rule D12.repeatedWrites
 */
export async function sendBulk(
  connection: OperatorConnection,
  outgoing: Outgoing,
): Promise<AsyncIterable<BulkLine>> {
  const first = await sendForFile(connection, outgoing);
  return bulkLines(connection, outgoing, first);
}

async function* bulkLines(
  connection: OperatorConnection,
  outgoing: Outgoing,
  first: Response,
): AsyncGenerator<BulkLine> {
  const { plan } = connection;
  const { options } = outgoing;
  let rows = 0;
  let response = first;
  for (let attempts = 1; ; attempts += 1) {
    try {
      for await (const text of linesOf(fileOf(connection, response, options).content)) {
        const line = readLine(text);
        if (line.row <= rows) continue;
        const { status, code, error = "" } = line;
        if (code === "idempotency_in_progress") throw underWay({ status, code, error });
        yield line;
        rows = line.row;
      }
      return;
    } catch (error) {
      const waitMs = waitBefore(plan, attempts, error);
      if (waitMs === null) throw error;
      await pause(plan, waitMs, options.signal ?? null);
      response = await sendForFile(connection, outgoing);
    }
  }
}

/**
 * The error for a row that an earlier attempt is still carrying out. It makes the whole file be sent again after a
 * second.
 */
function underWay(line: Pick<OperatorRefusal, "status" | "code" | "error">): OperatorError {
  return new OperatorError({ ...line, field: null, details: {}, retryAfterMs: 1_000 });
}

function readLine(text: string): BulkLine {
  const line: unknown = parse(text);
  if (isBulkLine(line)) return line;
  throw new UnexpectedAnswerError(200);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isBulkLine(line: unknown): line is BulkLine {
  return isRecord(line) && typeof line.row === "number" && typeof line.status === "number";
}
