import { PropgateError } from "./errors.ts";

/**
 * Why no answer came. `notTls`: the server at an https URL does not use TLS. `tls`: its certificate or protocol was
 * rejected. `connectionLost`: the connection broke after it was opened.
 */
export type UnreachableReason =
  | "timeout"
  | "connectionRefused"
  | "hostNotFound"
  | "notTls"
  | "tls"
  | "notConnected"
  | "connectionLost";

/** No answer came: the connection was refused or cut, or timed out. A read has had no effect. */
export class UnreachableError extends PropgateError {
  override readonly name = "UnreachableError";
  override readonly code = "unreachable";
  readonly reason: UnreachableReason;
  /**
   * True when the error shows that the request was not sent, because no connection was opened or its TLS failed; false
   * when the request may have arrived.
   */
  readonly nothingWasSent: boolean;

  /** `origin` is the service's address, `cause` the error of `fetch`. */
  constructor(origin: string, cause: unknown) {
    const errors = errorsWithin(cause);
    const reason = reasonOf(errors);
    super(`no answer from ${origin}: ${textOf(reason, errors)}`, { cause });
    this.reason = reason;
    this.nothingWasSent = wasNeverConnected(errors);
  }
}

/** The error, its causes, and the errors of an AggregateError, which has one for each address that was tried. */
function errorsWithin(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return [];
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...[error.cause, ...parts].flatMap((one) => errorsWithin(one, depth + 1))];
}

const MAX_DEPTH = 4;

function reasonOf(errors: readonly Error[]): UnreachableReason {
  const known = REASONS.find(([, matches]) => errors.some(matches));
  if (known !== undefined) return known[0];
  return wasNeverConnected(errors) ? "notConnected" : "connectionLost";
}

/** How the reasons are recognised. The first one that fits is the reason. */
const REASONS: readonly (readonly [UnreachableReason, (error: Error) => boolean])[] = [
  [
    "timeout",
    (error) =>
      error.name === "TimeoutError" || /^(?:UND_ERR_\w+_TIMEOUT|ETIMEDOUT)$/.test(codeOf(error)),
  ],
  [
    "connectionRefused",
    (error) =>
      /^(?:ECONNREFUSED|ConnectionRefused)$/.test(codeOf(error)) ||
      (isConnectPhase(error) && /connection refused/i.test(error.message)),
  ],
  [
    "hostNotFound",
    (error) =>
      /^(?:ENOTFOUND|EAI_AGAIN)$/.test(codeOf(error)) ||
      (isConnectPhase(error) && /dns error/i.test(error.message)),
  ],
  [
    "notTls",
    (error) =>
      codeOf(error) === WRONG_VERSION ||
      (isConnectPhase(error) && error.message.includes("InvalidContentType")),
  ],
  [
    "tls",
    (error) =>
      /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^ERR_TLS_|^ERR_SSL_|^EPROTO$/.test(codeOf(error)) ||
      (isConnectPhase(error) && /certificate|tls/i.test(error.message)),
  ],
];

const WRONG_VERSION = "ERR_SSL_WRONG_VERSION_NUMBER";

/**
 * True when every attempt at an address failed before the request could be sent: while the connection was opened, or in
 * its TLS.
 */
function wasNeverConnected(errors: readonly Error[]): boolean {
  const attempts = errors.find((error) => error instanceof AggregateError)?.errors;
  if (Array.isArray(attempts) && attempts.length > 0) {
    return attempts.every((one) => one instanceof Error && isBeforeConnection(one));
  }
  return errors.some(isBeforeConnection);
}

function isBeforeConnection(error: Error): boolean {
  const syscall = "syscall" in error ? error.syscall : null;
  return (
    syscall === "connect" ||
    syscall === "getaddrinfo" ||
    NOT_CONNECTED.includes(codeOf(error)) ||
    isConnectPhase(error)
  );
}

/** Codes of errors before the request was sent: the connection was not opened, or its TLS failed. */
const NOT_CONNECTED: readonly string[] = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "ConnectionRefused",
  "FailedToOpenSocket",
  WRONG_VERSION,
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
];

/**
 * True when Deno could not connect. Its errors have no codes, but its HTTP client names the phase in which it failed:
 * `client error (Connect)`.
 */
function isConnectPhase({ message }: Error): boolean {
  return message.includes("client error (Connect)");
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

const TEXTS: Readonly<Record<UnreachableReason, string>> = {
  timeout: "timed out",
  connectionRefused: "connection refused",
  hostNotFound: "host name not found",
  notTls: "the service does not speak TLS at this port; try an http:// URL",
  tls: "TLS failed",
  notConnected: "the connection could not be opened",
  connectionLost: "the connection was lost",
};

/** The reason in words, with the message of the innermost error where that adds something. */
function textOf(reason: UnreachableReason, errors: readonly Error[]): string {
  const innermost = errors.at(-1)?.message ?? "";
  const addsNothing = innermost === "" || reason === "notTls";
  return addsNothing ? TEXTS[reason] : `${TEXTS[reason]} (${innermost})`;
}
