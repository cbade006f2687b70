import {
  ERROR_NOTES,
  ERRORS,
  REFUSALS,
  type RefusalCode,
  type RefusalRow,
  type RetryClass,
} from "@propgate/contract";
import { type ErrorCode, PropgateError, RejectedError, type Rejection } from "@propgate/sdk";

/** What an agent is told of something that went wrong. */
export type Failure = Readonly<{
  /** HTTP status of the answer; null when there was none. */
  status: number | null;
  /** Which error it is, to switch over; `refusedHere` when this program refused it. */
  code: ErrorCode | "refusedHere";
  /** `error` of the answer, word for word, or what happened instead. */
  error: string;
  /** Why the trading network refused the order, to switch over; null for every other failure. */
  refusalCode: RefusalCode | null;
  cause: string;
  fix: string;
  /** The scope that the key lacks; null for other errors. */
  requiredScope: string | null;
  /** When the service named a time; null otherwise. */
  retryAfterMs: number | null;
}>;

/** Null for what is no error of the client: a fault of this program. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof RejectedError) return rejectionFailure(error.rejection);
  if (!(error instanceof PropgateError)) return null;
  const reasons = {
    cause: "No answer of this API came.",
    fix: "Nothing was changed. Check that the service runs at its URL, then try again.",
  };
  return { ...refusedHere(error.message, reasons), code: error.code };
}

/** What was never sent. */
export function refusedHere(
  error: string,
  { cause, fix }: { readonly cause: string; readonly fix: string },
): Failure {
  const code = "refusedHere";
  const nothing = { status: null, refusalCode: null, requiredScope: null, retryAfterMs: null };
  return { ...nothing, code, error, cause, fix };
}

export function rejectionFailure(rejection: Rejection): Failure {
  const { status, code, error, refusalCode, requiredScope, retryAfterMs } = rejection;
  const row = rowOf(rejection);
  const cause = row?.cause ?? "No error of the API: something in front of the service said so.";
  const fix = FIXES[row?.retry ?? "never"];
  return { status, code, error, refusalCode, cause, fix, requiredScope, retryAfterMs };
}

/** Null for an answer that is outside the error table. */
function rowOf({ code, refusalCode }: Rejection): RefusalRow | null {
  if (refusalCode !== null) return REFUSALS[refusalCode];
  return code === "unlisted" ? null : { ...ERROR_NOTES[code], retry: ERRORS[code].retry };
}

const FIXES: Readonly<Record<RetryClass, string>> = {
  afterFixing: "Mend what the error names, then send it again.",
  withBackoff: "Wait, at least `retryAfterMs` where it is given, then try again.",
  never: "Do not send it again: the answer stays the same until its owner changes something.",
};
