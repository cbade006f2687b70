import {
  ERROR_NOTES,
  ERRORS,
  REFUSALS,
  type RefusalCode,
  type RefusalRow,
  type RetryClass,
} from "@propgate/contract";
import { type ErrorCode, PropgateError, RejectedError, type Rejection } from "@propgate/sdk";
import { isUnreadable } from "../unreadable-answer.ts";

/** A failure as an agent receives it. */
export type Failure = Readonly<{
  /** HTTP status of the answer; null without an answer. */
  status: number | null;
  /** The code of the error; `refusedHere` when this program rejected the request without sending it. */
  code: ErrorCode | "refusedHere";
  /** `error` of the answer, word for word, or a text of this program. */
  error: string;
  /** The code with which the trading network refused the order; null for every other failure. */
  refusalCode: RefusalCode | null;
  cause: string;
  fix: string;
  /** The scope that the key lacks; null for any other error. */
  requiredScope: string | null;
  /** The time to wait by the `Retry-After` header, or by a rate limit of this program; null without one. */
  retryAfterMs: number | null;
}>;

/** The failure that an agent gets for an error; null for a fault of this program. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof RejectedError) return rejectionFailure(error.rejection);
  if (isUnreadable(error)) return unexpectedAnswerFailure(error.message);
  if (!(error instanceof PropgateError)) return null;
  const reasons = {
    cause: "The API did not answer.",
    fix: "Nothing was changed. Check that the service runs at its URL, then try again.",
  };
  return { ...unsentFailure(error.message, reasons), code: error.code };
}

/** The failure of a request whose answer differs from the contract. */
export function unexpectedAnswerFailure(problem: string): Failure {
  const reasons = {
    cause: "The service is of another version, or another program answers at its URL.",
    fix: "Check the URL, and use the command of the service's version. A request that changes something may be done.",
  };
  const error = `the service's answer has an unexpected shape: ${problem}`;
  return { ...unsentFailure(error, reasons), code: "unexpectedAnswer" };
}

/** The failure of a request that this program did not send. */
export function unsentFailure(
  error: string,
  { cause, fix }: { readonly cause: string; readonly fix: string },
): Failure {
  const code = "refusedHere";
  const nothing = { status: null, refusalCode: null, requiredScope: null, retryAfterMs: null };
  return { ...nothing, code, error, cause, fix };
}

/** The failure that an agent gets for a rejection of the service. */
export function rejectionFailure(rejection: Rejection): Failure {
  const { status, code, error, refusalCode, requiredScope, retryAfterMs } = rejection;
  const row = refusalRowOf(rejection);
  const cause = row?.cause ?? "This is not an error of the API; a proxy may have answered.";
  const fix = FIXES[row?.retry ?? "never"];
  return { status, code, error, refusalCode, cause, fix, requiredScope, retryAfterMs };
}

/** The cause of a rejection, and whether a retry can help; null when the error table does not have the rejection. */
function refusalRowOf({ code, refusalCode }: Rejection): RefusalRow | null {
  if (refusalCode !== null) return REFUSALS[refusalCode];
  return code === "unlisted" ? null : { ...ERROR_NOTES[code], retry: ERRORS[code].retry };
}

const FIXES: Readonly<Record<RetryClass, string>> = {
  afterFixing: "Fix the problem that the error names, then send it again.",
  withBackoff: "Wait, at least `retryAfterMs` if present, then try again.",
  never: "Do not send it again: the answer stays the same until the owner changes something.",
};
