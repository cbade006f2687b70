import { RejectedError, UnexpectedAnswerError, UnreachableError } from "@propgate/sdk";
import { CliError, EXIT } from "../cli-error.ts";
import type { Credentials } from "../profile/connection.ts";

/** Why a call failed, with its cause and what to do; anything that is not known stays a fault. */
export function explained(error: unknown, { baseUrl }: Credentials): unknown {
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
  if (error instanceof UnexpectedAnswerError) {
    return new CliError(
      {
        message: `${baseUrl} is no Propgate service, or something stands before it: ${error.message}`,
        fix: "Check --url. propgate doctor looks at every step.",
        exitCode: EXIT.unreachable,
      },
      { cause: error },
    );
  }
  if (error instanceof UnreachableError) {
    return new CliError(
      {
        message: `no answer from ${baseUrl}: ${rootOf(error)}`,
        fix: "Is it running, and is --url right? propgate doctor looks at every step.",
        exitCode: EXIT.unreachable,
      },
      { cause: error },
    );
  }
  return error;
}

/** The innermost message: `fetch failed` tells nobody anything. */
export function rootOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? rootOf(error.cause) : messageOf(error);
}

function messageOf(error: Error): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) {
    return error.errors[0].message;
  }
  if (error.name === "TimeoutError") return "it took longer than 10 s";
  return error.message === "" ? error.name : error.message;
}

const FIXES: ReadonlyMap<string, string> = new Map([
  ["Missing credentials", "The headers have another brand word? Find it with: propgate doctor"],
  ["Timestamp invalid", "Set this machine's clock (NTP). propgate doctor tells how far it is off."],
  [
    "Invalid key",
    "The key id is not known here, revoked or expired, or not allowed from this address.",
  ],
  [
    "Bad signature",
    "The secret does not belong to this key id, or a proxy changes requests. Run: propgate doctor",
  ],
  ["insufficient_scope", "Ask for a key that has the scope; it cannot be added to this one."],
  ["Not found", "This service is older than the command, and does not have that."],
  ["Account not found", "The key's account is closed."],
  ["rate_limited", "120 reads a minute are shared by all that use this key."],
  [
    "too_many_failed_requests",
    "Thirty orders were refused in ten minutes, so placing is paused. Find out why they are.",
  ],
]);

const BY_STATUS: ReadonlyMap<number, string> = new Map([
  [500, "The fault is the service's; its log has the cause."],
  [502, "The service's own source is down. Try again later."],
  [503, "The service cannot tell now, which is not the same as zero. Try again later."],
]);
