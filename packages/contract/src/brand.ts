/** The brand word of the header names when the operator sets none. @rule D1.brand */
export const DEFAULT_BRAND = "Service";

/** The network's name in texts when the operator sets none. @rule D1.network */
export const DEFAULT_NETWORK_NAME = "Propgate";

/** The names of the four authentication headers. @rule S5.headers */
export interface AuthHeaders {
  readonly keyId: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

/** Diagnostic headers of responses; a client may ignore all of them. @rule D2.help */
export interface HelpHeaders {
  /** Identifies the request in the server's log. */
  readonly requestId: string;
  /** The server's clock, Unix milliseconds, so that a client can see its own skew. */
  readonly serverTimeMs: string;
  /** With `Bad signature`: the request target that the server saw. */
  readonly seenTarget: string;
  /** With `Bad signature`: SHA-256 of the body that the server saw, lower-case hex. */
  readonly seenBodySha256: string;
  /** Comma-separated names of body fields that were not read: misspelt, or not for this order. */
  readonly ignoredFields: string;
  /** The version of the account that the answer shows, as a cursor of the account's journal. @rule D9.accountVersion */
  readonly accountVersion: string;
  /** With the 400 of a refused order: its code in the table of refusals. @rule D10.refusalCodes */
  readonly refusalCode: string;
}

/** True for a word that is valid in a header name. */
export function isBrandWord(word: string): boolean {
  return /^[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*$/.test(word);
}

/** The names of the four authentication headers, as they are documented and sent. */
export function authHeaders(brand: string): AuthHeaders {
  return {
    keyId: `X-${brand}-Key-Id`,
    timestamp: `X-${brand}-Timestamp`,
    nonce: `X-${brand}-Nonce`,
    signature: `X-${brand}-Signature`,
  };
}

/** The names of the four authentication headers in lower case, as HTTP stacks store them. */
export function authHeaderKeys(brand: string): AuthHeaders {
  const names = authHeaders(brand);
  return {
    keyId: names.keyId.toLowerCase(),
    timestamp: names.timestamp.toLowerCase(),
    nonce: names.nonce.toLowerCase(),
    signature: names.signature.toLowerCase(),
  };
}

/** The names of the diagnostic headers, as they are documented and sent. */
export function helpHeaders(brand: string): HelpHeaders {
  return {
    requestId: `X-${brand}-Request-Id`,
    serverTimeMs: `X-${brand}-Server-Time-Ms`,
    seenTarget: `X-${brand}-Seen-Target`,
    seenBodySha256: `X-${brand}-Seen-Body-Sha256`,
    ignoredFields: `X-${brand}-Ignored-Fields`,
    accountVersion: `X-${brand}-Account-Version`,
    refusalCode: `X-${brand}-Refusal-Code`,
  };
}
