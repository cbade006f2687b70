import { STATUS_CODES } from "node:http";
import {
  EDGE_ERRORS,
  type EdgeErrorName,
  edgeStatus,
  type FailureBody,
  isWrite,
  matchEndpoint,
} from "@propgate/contract";
import { routedPath } from "./target-path.ts";

/** An answer that no route gives: to bytes that are not a request, or to a request that exceeds a limit. */
export interface EdgeRefusal {
  readonly status: ReturnType<typeof edgeStatus>;
  readonly text: string;
}

/** A request line; null when it was not read. */
export type RequestLine = { readonly method: string; readonly target: string } | null;

/**
 * The error of the answer for some error codes of Node's HTTP parser and server. Any other code means
 * `malformedRequest`.
 */
const BY_CODE: ReadonlyMap<string, EdgeErrorName> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", "requestTimeout"],
  ["HPE_HEADER_OVERFLOW", "headersTooLarge"],
]);

const RETRY_AFTER_SECONDS = "1";
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([500, 503]);

/** The answer with this error. Its status also depends on whether the request line is that of a write. */
export function edgeRefusal(name: EdgeErrorName, line: RequestLine): EdgeRefusal {
  return {
    status: edgeStatus(name, line !== null && isWritten(line)),
    text: EDGE_ERRORS[name].text,
  };
}

/** The answer to a request that Node's parser rejected. */
export function parserRefusal(cause: { readonly code?: string }, line: RequestLine): EdgeRefusal {
  return edgeRefusal(BY_CODE.get(cause.code ?? "") ?? "malformedRequest", line);
}

function isWritten({ method, target }: NonNullable<RequestLine>): boolean {
  const match = matchEndpoint(method, routedPath(target));
  return match.kind === "endpoint" && isWrite(match.name);
}

/** The JSON body of an answer of the edge. */
export function edgeRefusalBody({ text }: EdgeRefusal): string {
  const body: FailureBody = { error: text };
  return JSON.stringify(body);
}

/** The headers of an answer of the edge. The connection closes after it. */
export function edgeRefusalHeaders(
  answer: EdgeRefusal,
  security: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(edgeRefusalBody(answer))),
    ...(RETRYABLE_STATUSES.has(answer.status) ? { "Retry-After": RETRY_AFTER_SECONDS } : {}),
    ...security,
    Connection: "close",
  };
}

/** The complete answer as bytes, for a socket without a response object. */
export function edgeRefusalBytes(
  answer: EdgeRefusal,
  security: Readonly<Record<string, string>>,
): string {
  const lines = Object.entries(edgeRefusalHeaders(answer, security)).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const status = `${answer.status} ${STATUS_CODES[answer.status] ?? ""}`;
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${edgeRefusalBody(answer)}`;
}
