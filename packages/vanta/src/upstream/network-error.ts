import type { UpstreamFailure } from "./port.ts";

/**
 * The failure that an error of a socket or of Node's HTTP parser means. Only its code is used, because messages contain
 * addresses.
 */
export function failureOf(cause: unknown, wasSent: boolean): UpstreamFailure {
  const code = codeOf(cause);
  if (code.startsWith("HPE_")) {
    return { kind: "unreadable", why: `the answer is not valid HTTP (${code})` };
  }
  const why = REASONS.get(code) ?? `connection failed${code === "" ? "" : ` (${code})`}`;
  return { kind: "unreachable", wasSent, why };
}

/** Whether the connection was closed, by either side. */
export function isClosed(cause: unknown): boolean {
  return ["ECONNRESET", "EPIPE"].includes(codeOf(cause));
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ECONNRESET", "connection closed by the other side"],
  ["ENOTFOUND", "host name not found"],
  ["EAI_AGAIN", "host name not found at the moment"],
  ["ETIMEDOUT", "connection timed out"],
  ["EHOSTUNREACH", "no route to the host"],
  ["ENETUNREACH", "no route to the network"],
  ["CERT_HAS_EXPIRED", "certificate has expired"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate is self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "certificate is self-signed"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate is of an unknown authority"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "certificate is of an unknown authority"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate is of another host"],
]);
