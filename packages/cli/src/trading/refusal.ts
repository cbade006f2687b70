import {
  HistoryDiffersError,
  RejectedError,
  UnexpectedAnswerError,
  UnreachableError,
} from "@propgate/sdk";
import { CliError, EXIT } from "../cli-error.ts";
import type { Credentials } from "../profile/connection.ts";

/**
 * The error of a failed call as a `CliError` with cause and remedy. An unknown error is returned unchanged, as a fault.
 */
export function asCliError(error: unknown, { baseUrl }: Credentials): unknown {
  if (error instanceof RejectedError) {
    const { status, error: text, requiredScope, retryAfterMs } = error.rejection;
    const scope = requiredScope === null ? "" : ` (the key lacks ${requiredScope})`;
    const wait = retryAfterMs === null ? "" : ` Try again in ${Math.ceil(retryAfterMs / 1000)} s.`;
    const fix = `${FIXES.get(text) ?? BY_STATUS.get(status) ?? ""}${wait}`.trim();
    return new CliError(
      {
        message: `${baseUrl} answered ${status}: ${text}${scope}`,
        fix: fix === "" ? null : fix,
        exitCode: error.isTemporary || status >= 500 ? EXIT.unreachable : EXIT.refused,
      },
      { cause: error },
    );
  }
  if (error instanceof UnexpectedAnswerError) return unexpected(error, baseUrl);
  if (error instanceof UnreachableError) {
    return new CliError(
      {
        message: `no answer from ${baseUrl}: ${rootMessageOf(error)}`,
        fix: "Is the service running, and is --url right? propgate doctor checks every step.",
        exitCode: EXIT.unreachable,
      },
      { cause: error },
    );
  }
  if (error instanceof HistoryDiffersError) {
    return new CliError(
      {
        message: `${baseUrl}: ${error.message}`,
        fix: "A backup was restored, the journal was rewritten, or the cursor is of another account. Find out which, then begin at a cursor that you trust, or at 0.",
        exitCode: EXIT.refused,
      },
      { cause: error },
    );
  }
  return error;
}

function unexpected(error: UnexpectedAnswerError, baseUrl: string): CliError {
  const { isTemporary, message } = error;
  return new CliError(
    {
      message: isTemporary
        ? `no answer of the service at ${baseUrl}: ${message}`
        : `${baseUrl} is not a Propgate service, or a proxy answers for it: ${message}`,
      fix: `${isTemporary ? "Try again later" : "Check --url"}. propgate doctor checks every step.`,
      exitCode: EXIT.unreachable,
    },
    { cause: error },
  );
}

/** The message of the innermost cause, because `fetch failed` does not explain the problem. */
export function rootMessageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? rootMessageOf(error.cause) : messageOf(error);
}

function messageOf(error: Error): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) {
    return error.errors[0].message;
  }
  // The client's own timeout error has the time limit in its text. That of the platform, a DOMException, does not.
  const { name } = error;
  if (error instanceof DOMException && name === "TimeoutError") return "it took longer than 10 s";
  return error.message === "" ? name : error.message;
}

const FIXES: ReadonlyMap<string, string> = new Map([
  [
    "Missing credentials",
    "The headers may have the wrong brand word. Find it with: propgate doctor",
  ],
  ["Timestamp invalid", "Set this machine's clock (NTP). propgate doctor shows the difference."],
  ["Invalid key", "The key id is unknown, revoked or expired, or not allowed from this address."],
  [
    "Bad signature",
    "The secret does not belong to this key id, or a proxy changes requests. Run: propgate doctor",
  ],
  ["insufficient_scope", "Request a key that has the scope; scopes cannot be added to a key."],
  ["Not found", "The service is older than the command and does not support it."],
  ["Account not found", "The key's account is closed."],
  ["rate_limited", "All programs with this key share 120 reads a minute."],
  ["too_many_streams", "A key has two streams at a time. Close one, or use another key."],
  [
    "too_many_failed_requests",
    "Thirty orders were rejected in ten minutes, so placement is paused. Find out why.",
  ],
]);

const BY_STATUS: ReadonlyMap<number, string> = new Map([
  [500, "This is a fault of the service; its log has the cause."],
  [502, "A data source of the service is down. Try again later."],
  [503, "The value is not available now, which does not mean zero. Try again later."],
]);
