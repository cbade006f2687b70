import { wireJson } from "@propgate/base";
import { isRecord, OPERATOR_ERRORS, type OperatorErrorCode } from "@propgate/contract";
import type { DataReply, RefusedReply } from "../../json/json-reply.ts";

/** The text in which an answer is stored, without the parts that only the audit gets. */
export function storedReplyText(reply: DataReply | RefusedReply): string {
  if ("data" in reply) return wireJson({ data: reply.data });
  const { error, code, field, details } = reply;
  return wireJson({ error, code, field, details });
}

const STATUSES: Readonly<Record<number, RefusedReply["status"]>> = { 404: 404, 409: 409 };

/** The answer with this status whose text `storedReplyText` has made. */
export function storedReply(status: number, text: string): DataReply | RefusedReply {
  const stored: unknown = JSON.parse(text);
  const { data, error, code, field, details } = isRecord(stored) ? stored : {};
  if (status === 200) return { status, data };
  const refusal = STATUSES[status];
  if (refusal === undefined || typeof error !== "string") {
    throw new Error(`broken invariant: an answer with the status ${status} is not kept`);
  }
  return {
    status: refusal,
    error,
    ...(isCode(code) ? { code } : {}),
    ...(typeof field === "string" ? { field } : {}),
    ...(isRecord(details) ? { details: detailsOf(details) } : {}),
  };
}

function isCode(code: unknown): code is OperatorErrorCode {
  return typeof code === "string" && code in OPERATOR_ERRORS;
}

function detailsOf(details: Readonly<Record<string, unknown>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === "number" ? value : String(value),
    ]),
  );
}
