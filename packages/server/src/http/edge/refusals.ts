import { STATUS_CODES } from "node:http";
import type { FailureBody } from "@propgate/contract";

/** An answer that needs no route: what came is no request, or one too many. */
export interface Refusal {
  readonly status: 400 | 408 | 431 | 503;
  readonly error: string;
}

export const MALFORMED: Refusal = { status: 400, error: "Malformed request" };
export const TOO_MANY_CONNECTIONS: Refusal = { status: 503, error: "Too many connections" };
export const TOO_MANY_PIPELINED: Refusal = {
  status: 503,
  error: "Too many unanswered requests on one connection",
};

/** By Node's name for what is wrong. */
const BY_CODE: ReadonlyMap<string, Refusal> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", { status: 408, error: "Request not complete in time" }],
  ["HPE_HEADER_OVERFLOW", { status: 431, error: "Request headers too large" }],
]);

const RETRY_AFTER_SECONDS = "1";

export function refusalOf(cause: { readonly code?: string }): Refusal {
  return BY_CODE.get(cause.code ?? "") ?? MALFORMED;
}

export function refusalBody({ error }: Refusal): string {
  const body: FailureBody = { error };
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

/** The whole answer as it goes onto the wire, where there is no response object to write it. */
export function refusalBytes(refusal: Refusal, security: Readonly<Record<string, string>>): string {
  const lines = Object.entries(refusalHeaders(refusal, security)).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const status = `${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}`;
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${refusalBody(refusal)}`;
}
