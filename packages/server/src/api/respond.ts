import type { Clock } from "@propgate/base";
import {
  EDGE_ERRORS,
  type EdgeErrorName,
  ERRORS,
  type ErrorName,
  edgeStatus,
  errorText,
  type FailureBody,
  helpHeaders,
  ignoredFieldsHeader,
  LIMITS,
  type RefusalCode,
} from "@propgate/contract";
import type { UnixMs } from "@propgate/core";
import type { Rejection } from "@propgate/wire";
import type { Answer } from "./answer.ts";
import type { Answered, Streamed } from "./routes/handler.ts";

/** The server's view of a request whose signature does not match. */
export interface SeenRequest {
  readonly target: string;
  readonly bodySha256: string;
}

/**
 * Makes every answer of the API. It is the only place where an error gets its status and text.
 * @rule S7.table D2.help
 */
export interface Responder {
  /** The answer to a request that succeeded. `version` is the account's cursor; null when there is none. */
  success(
    answered: Pick<Answered, "json" | "ignored" | "next">,
    about: { requestId: string; version: string | null },
  ): Answer;
  /** A streamed answer, which lasts as long as its client reads it. @rule D9.stream */
  stream(streamed: Streamed, about: { requestId: string; version: string | null }): Answer;
  failure(
    rejection: Rejection,
    about: { requestId: string; seen: SeenRequest | null; version?: string | null },
  ): Answer;
  /** An answer outside the endpoints' statuses: the service could not receive the request. */
  edgeFailure(
    error: EdgeErrorName,
    request: { readonly requestId: string; readonly isWrite: boolean },
  ): Answer;
  /** The failure as a receipt stores it. */
  receiptFailure(rejection: Rejection): ReceiptFailure;
}

/** A failed order in the form in which its receipt is stored. */
export interface ReceiptFailure {
  readonly status: number;
  readonly error: string;
  /** Null unless the trading network refused an order. */
  readonly refusalCode: RefusalCode | null;
}

/**
 * Temporary errors without an effect: the client may repeat the same call soon.
 * @rule S7.R1 D5.networkDown
 */
const RETRY_SOON: ReadonlySet<ErrorName> = new Set([
  "snapshotUnavailable",
  "networkDown",
  "notCarriedOut",
  "ownerChanging",
  // This 429 means that too many expensive reads of the account are under way. The 429 of a used-up budget has another
  // `Retry-After`: the end of its window. @rule D13.expensiveReads
  "rateLimited",
]);
const SOON_SECONDS = String(LIMITS.retryAfterSecondsMin);
const STREAM_SECONDS = String(LIMITS.streamRetrySeconds);
/** The headers of a stream. Without the second one, proxies such as nginx would buffer the frames. */
const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "X-Accel-Buffering": "no",
} as const;

type Headers = Record<string, string>;

const MS_PER_SECOND = 1000;

/**
 * Creates the responder. The body of an answer is `success` with `data` (and `next` in a list with pages), or `error`,
 * or the frames of a stream. All further help is in headers. @rule S1.envelope D2.help decides
 */
export function createResponder(options: {
  readonly brand: string;
  readonly networkName: string;
  readonly clock: Clock;
}): Responder {
  const help = helpHeaders(options.brand);
  const headersFor = (requestId: string): Headers => ({
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    [help.requestId]: requestId,
  });
  return {
    success({ json, ignored, next }, { requestId, version }) {
      const headers = headersFor(requestId);
      if (version !== null) headers[help.accountVersion] = version;
      if (ignored.length > 0) headers[help.ignoredFields] = ignoredFieldsHeader(ignored);
      const end = next === undefined ? "}" : `,"next":${JSON.stringify(next)}}`;
      const body = typeof json === "string" ? BEGIN + json + end : envelope(json, end);
      return { status: 200, headers, body };
    },
    stream({ frames }, { requestId, version }) {
      const headers: Headers = { ...headersFor(requestId), ...STREAM_HEADERS };
      if (version !== null) headers[help.accountVersion] = version;
      return { status: 200, headers, body: frames };
    },
    failure(rejection, { requestId, seen, version = null }) {
      const { status } = ERRORS[rejection.error];
      const now = options.clock.now();
      const headers = { ...headersFor(requestId), ...routingHeaders(rejection) };
      if (version !== null) headers[help.accountVersion] = version;
      if (rejection.refusalCode !== undefined) headers[help.refusalCode] = rejection.refusalCode;
      if (status === 401) headers[help.serverTimeMs] = String(now);
      if (status === 401 && seen !== null) {
        headers[help.seenTarget] = headerText(seen.target);
        headers[help.seenBodySha256] = seen.bodySha256;
      }
      if (rejection.retryAtMs !== undefined) Object.assign(headers, retryHeaders(rejection, now));
      else if (RETRY_SOON.has(rejection.error)) headers["Retry-After"] = SOON_SECONDS;
      else if (rejection.error === "tooManyStreams") headers["Retry-After"] = STREAM_SECONDS;
      return { status, headers, body: JSON.stringify(failureBody(rejection, options.networkName)) };
    },
    edgeFailure(name, { requestId, isWrite }) {
      const status = edgeStatus(name, isWrite);
      const body: FailureBody = { error: EDGE_ERRORS[name].text };
      const headers = {
        ...headersFor(requestId),
        "Retry-After": String(LIMITS.retryAfterSecondsMin),
      };
      return { status, headers, body: JSON.stringify(body) };
    },
    receiptFailure: (rejection) => ({
      status: ERRORS[rejection.error].status,
      error: failureBody(rejection, options.networkName).error,
      refusalCode: rejection.refusalCode ?? null,
    }),
  };
}

/**
 * Whether the failure guard counts the rejection of an order. A request that gets a 400 or 403 needs the secret; a 409
 * needs only a captured request, which an eavesdropper can repeat.
 * @rule D2.guard
 */
export function isCountedByGuard(error: ErrorName): boolean {
  const { status } = ERRORS[error];
  return status === 400 || status === 403;
}

/**
 * Whether the rejected order has no effect and never will have one. After any other failure the order may have been
 * carried out; then the executor's receipt shows it, or its fate is unknown.
 */
export function isFinal(error: ErrorName): boolean {
  return ERRORS[error].status < 500 || WITHOUT_EFFECT.has(error);
}

/** Errors with a status from 500 on after which an order has no effect. */
const WITHOUT_EFFECT: ReadonlySet<ErrorName> = new Set([
  "networkDown",
  "notCarriedOut",
  "ownerChanging",
]);

const BEGIN = '{"success":true,"data":';

async function* envelope(data: AsyncIterable<Uint8Array>, end: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(BEGIN);
  yield* data;
  yield Buffer.from(end);
}

function failureBody(rejection: Rejection, networkName: string): FailureBody {
  const message = rejection.text ?? "";
  const error = errorText(rejection.error, {
    networkName: rejection.networkName ?? networkName,
    message,
  });
  return rejection.requiredScope === undefined
    ? { error }
    : { error, required_scope: rejection.requiredScope };
}

function routingHeaders({ allow }: Rejection): Headers {
  return allow === undefined ? {} : { Allow: allow.join(", ") };
}

/**
 * The headers of a rejection with a time to retry: `Retry-After` in whole seconds, at least one, and for a used-up read
 * budget also the three `X-RateLimit` headers. @rule S8.headers D2.retryAfter decides
 */
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

/** The text as printable ASCII, with the rest percent-encoded, so that it cannot break out of a header. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (character) =>
    Buffer.from(character, "utf8").toString("hex").toUpperCase().replace(/../g, "%$&"),
  );
}
