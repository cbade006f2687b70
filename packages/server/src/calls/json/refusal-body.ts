import type { OperatorErrorCode } from "@propgate/contract";
import type { RefusedReply } from "./json-reply.ts";

/** A refusal, or the 500 of a call that failed. */
export interface Refusal extends Omit<RefusedReply, "status" | "about" | "headers"> {
  readonly status: number;
}

/** The body of a refusal, which always has a code. @rule D12.errorCodes decides */
export function refusalBody({ status, error, code, field, details }: Refusal) {
  return {
    error,
    code: code ?? codeOf(status, field !== undefined),
    ...(field === undefined ? {} : { field }),
    ...(details === undefined ? {} : { details }),
  };
}

const CODES: Readonly<Record<number, OperatorErrorCode>> = {
  400: "invalid",
  401: "unauthorized",
  403: "role",
  404: "not_found",
  409: "conflict",
  413: "too_large",
  429: "too_many",
  503: "unavailable",
};

function codeOf(status: number, hasField: boolean): OperatorErrorCode {
  return status === 403 && hasField ? "invalid" : (CODES[status] ?? "internal");
}
