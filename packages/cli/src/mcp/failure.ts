import { ERROR_NAMES, ERRORS, type ErrorRow, type RetryClass } from "@propgate/contract";
import { PropgateError, RejectedError } from "@propgate/sdk";

/** What an agent is told of something that went wrong. */
export type Failure = Readonly<{
  /** HTTP status of the answer; null when there was none. */
  status: number | null;
  /** `error` of the answer, word for word, or what happened instead. */
  error: string;
  cause: string;
  fix: string;
  /** The scope that the key lacks; null for other errors. */
  requiredScope: string | null;
  /** When the service named a time; null otherwise. */
  retryAfterMs: number | null;
}>;

/** Null for what is no error of the client: a fault of this program. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof RejectedError) return rejectionOf(error);
  if (!(error instanceof PropgateError)) return null;
  return notSent(error.message, {
    cause: "No answer of this API came.",
    fix: "Nothing was changed. Check that the service runs at the base URL, then try again.",
  });
}

/** What never reached the service. */
export function notSent(
  error: string,
  { cause, fix }: { readonly cause: string; readonly fix: string },
): Failure {
  return { status: null, error, cause, fix, requiredScope: null, retryAfterMs: null };
}

function rejectionOf({ rejection }: RejectedError): Failure {
  const { status, error, requiredScope, retryAfterMs } = rejection;
  const row = errorRow(status, error);
  return {
    status,
    error,
    cause: row === null ? "The contract does not list this error." : row.cause,
    fix: row === null ? FIXES.never : FIXES[row.retry],
    requiredScope,
    retryAfterMs,
  };
}

/** The row of the contract's table: by its text, else the last of the status whose text varies. */
function errorRow(status: number, error: string): ErrorRow | null {
  const rows = ERROR_NAMES.map((name): ErrorRow => ERRORS[name]).filter(
    (row) => row.status === status,
  );
  return (
    rows.find(({ text }) => text === error) ??
    rows.findLast(({ text }) => typeof text === "function") ??
    null
  );
}

const FIXES: Readonly<Record<RetryClass, string>> = {
  afterFixing: "Mend what the error names, then send it again.",
  withBackoff: "Wait, at least `retryAfterMs` where it is given, then try again.",
  never: "Do not send it again: the answer stays the same until its owner changes something.",
};
