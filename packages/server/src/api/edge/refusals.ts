import { STATUS_CODES } from "node:http";
import { EDGE_ERRORS, type EdgeErrorRow, type FailureBody } from "@propgate/contract";

/** An answer without a route: to bytes that are no request, or to a request over a limit. */
export type Refusal = Pick<EdgeErrorRow, "status" | "text">;

export const MALFORMED: Refusal = EDGE_ERRORS.malformedRequest;
export const TOO_MANY_CONNECTIONS: Refusal = EDGE_ERRORS.tooManyConnections;
export const TOO_MANY_PIPELINED: Refusal = EDGE_ERRORS.tooManyPipelined;

/** By Node's error code. */
const BY_CODE: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  ["ERR_HTTP_REQUEST_TIMEOUT", EDGE_ERRORS.requestTimeout],
  ["HPE_HEADER_OVERFLOW", EDGE_ERRORS.headersTooLarge],
]);

const RETRY_AFTER_SECONDS = "1";

export function refusalOf(cause: { readonly code?: string }): Refusal {
  return BY_CODE.get(cause.code ?? "") ?? MALFORMED;
}

export function refusalBody({ text }: Refusal): string {
  const body: FailureBody = { error: text };
  return JSON.stringify(body);
}

/** After each of them the connection closes. */
export function refusalHeaders(
  refusal: Refusal,
  security: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(refusalBody(refusal))),
    ...(refusal.status === 503 ? { "Retry-After": RETRY_AFTER_SECONDS } : {}),
    ...security,
    Connection: "close",
  };
}

/** The complete answer as bytes, for a socket without a response object. */
export function refusalBytes(refusal: Refusal, security: Readonly<Record<string, string>>): string {
  const lines = Object.entries(refusalHeaders(refusal, security)).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const status = `${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}`;
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${refusalBody(refusal)}`;
}
