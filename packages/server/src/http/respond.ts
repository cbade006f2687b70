import {
  ERRORS,
  type ErrorName,
  errorText,
  type FailureBody,
  helpHeaders,
  ignoredFieldsHeader,
  LIMITS,
  success,
} from "@propgate/contract";
import type { UnixMs } from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { Answer } from "./answer.ts";
import type { Rejection } from "./gates/facts.ts";

/** What the server saw of a request whose key is known. */
export interface Seen {
  readonly target: string;
  readonly bodySha256: string;
}

/** Makes every answer of the API; the only place where an error becomes one. @rule S7.table D2.help */
export interface Respond {
  success(data: unknown, about: { requestId: string; ignored: readonly string[] }): Answer;
  failure(rejection: Rejection, about: { requestId: string; seen: Seen | null }): Answer;
  /** The status and the text of a failure. */
  told(rejection: Rejection): { readonly status: number; readonly error: string };
}

type Headers = Record<string, string>;

const MS_PER_SECOND = 1000;

export function respondWith(need: {
  readonly brand: string;
  readonly networkName: string;
  readonly clock: Clock;
}): Respond {
  const help = helpHeaders(need.brand);
  const headersFor = (requestId: string): Headers => ({
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    [help.requestId]: requestId,
  });
  return {
    success(data, { requestId, ignored }) {
      const headers = headersFor(requestId);
      if (ignored.length > 0) headers[help.ignoredFields] = ignoredFieldsHeader(ignored);
      return { status: 200, headers, body: JSON.stringify(success(data)) };
    },
    failure(rejection, { requestId, seen }) {
      const { status } = ERRORS[rejection.error];
      const now = need.clock.now();
      const headers = { ...headersFor(requestId), ...routingHeaders(rejection) };
      if (status === 401) headers[help.serverTimeMs] = String(now);
      if (status === 401 && seen !== null) {
        headers[help.seenTarget] = visible(seen.target);
        headers[help.seenBodySha256] = seen.bodySha256;
      }
      if (rejection.retryAtMs !== undefined) Object.assign(headers, retryHeaders(rejection, now));
      return { status, headers, body: JSON.stringify(failureBody(rejection, need.networkName)) };
    },
    told: (rejection) => ({
      status: ERRORS[rejection.error].status,
      error: failureBody(rejection, need.networkName).error,
    }),
  };
}

/** A rejection (4xx but 429), as the failure guard counts them. @rule D2.guard */
export function isCounted(error: ErrorName): boolean {
  const { status } = ERRORS[error];
  return status >= 400 && status < 500 && status !== 429;
}

/**
 * The rejected order has changed nothing and will not. After any other failure it may have been
 * carried out, which then is in the executor's receipt, or nobody knows yet.
 */
export function isFinal(error: ErrorName): boolean {
  return ERRORS[error].status < 500 || error === "networkDown" || error === "notCarriedOut";
}

function failureBody(rejection: Rejection, networkName: string): FailureBody {
  const message = rejection.text ?? "";
  const error = errorText(rejection.error, { networkName, message });
  return rejection.requiredScope === undefined
    ? { error }
    : { error, required_scope: rejection.requiredScope };
}

function routingHeaders({ allow }: Rejection): Headers {
  return allow === undefined ? {} : { Allow: allow.join(", ") };
}

/** Retry-After with both 429s; the three X-RateLimit headers with the read budget's only. @rule S8.headers */
function retryHeaders({ error, retryAtMs = 0 }: Rejection, now: UnixMs): Headers {
  const seconds = Math.ceil((retryAtMs - now) / MS_PER_SECOND);
  const headers = { "Retry-After": String(Math.max(LIMITS.retryAfterSecondsMin, seconds)) };
  if (error !== "rateLimited") return headers;
  return {
    ...headers,
    "X-RateLimit-Limit": String(LIMITS.readBudgetPerWindow),
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": String(Math.ceil(retryAtMs / MS_PER_SECOND)),
  };
}

/** Printable ASCII only, the rest percent-encoded, so nothing can break out of a header. */
function visible(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (character) =>
    Buffer.from(character, "utf8").toString("hex").toUpperCase().replace(/../g, "%$&"),
  );
}
